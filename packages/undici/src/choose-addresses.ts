// Decides which addresses of a name are dialled, and in which order (decision: names and addresses).

import { isIP } from "node:net";
import { MAX_ADDRESSES } from "./limits.js";

export interface AddressRules {
  /** Whether an address may be dialled. */
  readonly mayReach: (address: string) => boolean;
  /** Whether the operator's ranges contain an address. */
  readonly isAdmitted: (address: string) => boolean;
}

/**
 * The addresses to dial, in order; empty if the name may not be reached. One forbidden address forbids the name, unless the
 * operator's ranges admit another: then the forbidden ones are left out.
 */
export function chooseAddresses(
  addresses: readonly string[],
  { mayReach, isAdmitted }: AddressRules,
): readonly string[] {
  const reachable = addresses.filter(mayReach);
  if (reachable.length < addresses.length && !reachable.some(isAdmitted)) return [];
  return inTurn(reachable).slice(0, MAX_ADDRESSES);
}

/** The two families in turn (RFC 8305, §4), so that a cut leaves some of both. The family of the first address comes first. */
function inTurn(addresses: readonly string[]): readonly string[] {
  const [first = ""] = addresses;
  const isFirstFamily = (address: string): boolean => isIP(address) === isIP(first);
  const others = addresses.filter((address) => !isFirstFamily(address));
  const firsts = addresses.filter(isFirstFamily);
  const pairs = addresses.map((_, index) => [firsts[index], others[index]]);
  return pairs.flat().filter((address) => address !== undefined);
}
