// Decides which addresses of a name are dialled, and in which order (decision: names and addresses).

import { isIP } from "node:net";
import { MAX_ADDRESSES } from "./limits.js";

export interface AddressRules {
  /** Whether an address may be dialled. */
  readonly mayReach: (address: string) => boolean;
  /** Whether it may be without the operator's ranges. */
  readonly isPublic: (address: string) => boolean;
}

/**
 * The addresses to dial, in order; empty if the name may not be reached. If the operator's ranges allow one, the name is the
 * operator's: only such addresses are dialled. Otherwise one forbidden address forbids the name.
 */
export function chooseAddresses(addresses: readonly string[], { mayReach, isPublic }: AddressRules): readonly string[] {
  const reachable = addresses.filter(mayReach);
  const allowed = reachable.filter((address) => !isPublic(address));
  if (allowed.length === 0 && reachable.length < addresses.length) return [];
  return inTurn(allowed.length > 0 ? allowed : reachable).slice(0, MAX_ADDRESSES);
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
