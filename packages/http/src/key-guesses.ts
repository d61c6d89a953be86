// Slows down guesses at keys. An address that has shown too many unknown ones hears nothing about a further key, right or
// wrong, unless the owner of that key has come from there before (decision: limits on callers). What a key is, and to which
// owner it belongs, is not known here.

import { type Allowance, type Clock, spendCalls } from "@postrider/core";
import { networkOf } from "./network-of.js";
import { MAX_CALLERS, MAX_FAMILIAR_OWNERS, UNKNOWN_KEYS } from "./limits.js";

export interface KeyGuesses {
  /**
   * Notes that an address has shown a key, and the id of its owner; undefined for an unknown key. Answers 0, or for how
   * long this address hears nothing about keys, in milliseconds.
   */
  note(address: string | undefined, owner: string | undefined): number;
  /** Counts so many guesses at once, as far as any are left. */
  spend(address: string | undefined, guesses: number): void;
  /**
   * For how long an address hears nothing about the key of an owner, or, without one, about any key at all, in
   * milliseconds; 0 if it does.
   */
  waitMs(address: string | undefined, owner?: string): number;
}

/** What is remembered of an address. */
interface Caller {
  readonly allowance?: Allowance;
  /** Owners whose keys have come from there. */
  readonly familiar: ReadonlySet<string>;
}

const STRANGER: Caller = { familiar: new Set() };

/** Remembers a bounded number of addresses; those heard of longest ago are forgotten first. */
export function createKeyGuesses(clock: Pick<Clock, "monotonic">): KeyGuesses {
  const callers = new Map<string, Caller>();
  return { note, spend, waitMs };

  function note(address: string | undefined, owner: string | undefined): number {
    const network = networkOf(address);
    if (network === undefined) return 0;
    const caller = callers.get(network) ?? STRANGER;
    if (owner !== undefined && caller.familiar.has(owner)) {
      remember(network, caller);
      return 0;
    }
    const spending = spendCalls(UNKNOWN_KEYS, caller.allowance, 1, clock.monotonic());
    if (spending.kind === "over") return spending.waitMs;
    remember(network, owner === undefined ? { ...caller, allowance: spending.left } : withFamiliar(caller, owner));
    return 0;
  }

  function spend(address: string | undefined, count: number): void {
    for (let spent = 0; spent < count; spent += 1) if (note(address, undefined) > 0) return;
  }

  function waitMs(address: string | undefined, owner?: string): number {
    const network = networkOf(address);
    if (network === undefined) return 0;
    const caller = callers.get(network) ?? STRANGER;
    if (owner === undefined ? caller.familiar.size > 0 : caller.familiar.has(owner)) return 0;
    const spending = spendCalls(UNKNOWN_KEYS, caller.allowance, 1, clock.monotonic());
    return spending.kind === "over" ? spending.waitMs : 0;
  }

  function remember(network: string, caller: Caller): void {
    // A map keeps its order: what is put in anew stands last.
    callers.delete(network);
    callers.set(network, caller);
    const [oldest] = callers.size > MAX_CALLERS ? callers.keys() : [];
    if (oldest !== undefined) callers.delete(oldest);
  }
}

function withFamiliar(caller: Caller, owner: string): Caller {
  if (caller.familiar.size >= MAX_FAMILIAR_OWNERS) return caller;
  return { ...caller, familiar: new Set([...caller.familiar, owner]) };
}
