// Slows down guessing of keys. An address that has shown too many unknown keys is not told whether a further key is right,
// unless the owner of the key has used this address before (decision: limits on callers). Knows neither keys nor how they
// map to owners.

import type { Clock } from "@postrider/core";
import { type Allowance, spendCalls } from "@postrider/core/engine";
import { networkOf } from "./network-of.js";
import { MAX_REMEMBERED_NETWORKS, MAX_REMEMBERED_OWNERS_PER_NETWORK, UNKNOWN_KEY_RATE_LIMIT } from "./limits.js";

/** Slows down addresses that show many unknown keys. */
export interface KeyGuessLimit {
  /**
   * Notes that an address has shown a key of this owner; `owner` is undefined for an unknown key. Returns 0 if the address
   * may be told whether the key is known; else how many milliseconds it has to wait.
   */
  note(address: string | undefined, owner: string | undefined): number;
  /** Counts this many unknown keys of an address, up to its limit. */
  spend(address: string | undefined, guesses: number): void;
  /**
   * How many milliseconds an address has to wait before it is told whether the key of this owner is known, or, if
   * `owner` is absent, whether any key is known; 0 if the address may be told now. Counts nothing.
   */
  waitMs(address: string | undefined, owner?: string): number;
}

/** What is remembered of the callers of one network. */
interface Caller {
  readonly allowance?: Allowance;
  /** Owners whose keys have been shown from this address. */
  readonly familiar: ReadonlySet<string>;
}

const UNSEEN: Caller = { familiar: new Set() };

/** Remembers up to `MAX_CALLERS` networks; the network that was seen longest ago is forgotten first. */
export function createKeyGuessLimit(clock: Pick<Clock, "monotonic">): KeyGuessLimit {
  const callers = new Map<string, Caller>();
  return { note, spend, waitMs };

  function note(address: string | undefined, owner: string | undefined): number {
    const network = networkOf(address);
    if (network === undefined) return 0;
    const caller = callers.get(network) ?? UNSEEN;
    if (owner !== undefined && caller.familiar.has(owner)) {
      remember(network, caller);
      return 0;
    }
    const spending = spendCalls(UNKNOWN_KEY_RATE_LIMIT, caller.allowance, 1, clock.monotonic());
    if (spending.kind === "refused") return spending.waitMs;
    remember(network, owner === undefined ? { ...caller, allowance: spending.left } : withFamiliar(caller, owner));
    return 0;
  }

  function spend(address: string | undefined, count: number): void {
    for (let spent = 0; spent < count; spent += 1) if (note(address, undefined) > 0) return;
  }

  function waitMs(address: string | undefined, owner?: string): number {
    const network = networkOf(address);
    if (network === undefined) return 0;
    const caller = callers.get(network) ?? UNSEEN;
    if (owner === undefined ? caller.familiar.size > 0 : caller.familiar.has(owner)) return 0;
    const spending = spendCalls(UNKNOWN_KEY_RATE_LIMIT, caller.allowance, 1, clock.monotonic());
    return spending.kind === "refused" ? spending.waitMs : 0;
  }

  function remember(network: string, caller: Caller): void {
    // A map keeps its order: an entry that is set again becomes the last.
    callers.delete(network);
    callers.set(network, caller);
    const [oldest] = callers.size > MAX_REMEMBERED_NETWORKS ? callers.keys() : [];
    if (oldest !== undefined) callers.delete(oldest);
  }
}

function withFamiliar(caller: Caller, owner: string): Caller {
  if (caller.familiar.size >= MAX_REMEMBERED_OWNERS_PER_NETWORK) return caller;
  return { ...caller, familiar: new Set([...caller.familiar, owner]) };
}
