// Slows down whoever tries keys. A caller who has shown too many unknown ones hears nothing about a further key, right or
// wrong, unless it has come from there with success before (decision: limits on callers).

import { type Allowance, type Clock, type Source, type SourceId, spendCalls } from "@postrider/core";
import { networkOf } from "./network-of.js";
import { MAX_CALLERS, MAX_FAMILIAR_SOURCES, UNKNOWN_KEYS } from "./limits.js";

export interface KeyGuesses {
  /**
   * Notes that a key came from an address, and whose it is, if anybody's. Answers 0, or for how long this address hears
   * nothing about keys, in milliseconds.
   */
  note(address: string | undefined, source: Pick<Source, "id"> | undefined): number;
  /** Counts so many guesses at once, as far as any are left. */
  spend(address: string | undefined, guesses: number): void;
  /**
   * For how long an address hears nothing about the key of a source, or, without one, about any key at all, in
   * milliseconds; 0 if it does.
   */
  waitMs(address: string | undefined, source?: Source): number;
}

/** What is remembered of an address. */
interface Caller {
  readonly allowance?: Allowance;
  readonly familiar: ReadonlySet<SourceId>;
}

const STRANGER: Caller = { familiar: new Set() };

/** Remembers a bounded number of addresses; those heard of longest ago are forgotten first. */
export function createKeyGuesses(clock: Pick<Clock, "monotonic">): KeyGuesses {
  const callers = new Map<string, Caller>();
  return { note, spend, waitMs };

  function note(address: string | undefined, source: Pick<Source, "id"> | undefined): number {
    const network = networkOf(address);
    if (network === undefined) return 0;
    const caller = callers.get(network) ?? STRANGER;
    if (source !== undefined && caller.familiar.has(source.id)) {
      remember(network, caller);
      return 0;
    }
    const spending = spendCalls(UNKNOWN_KEYS, caller.allowance, 1, clock.monotonic());
    if (spending.kind === "over") return spending.waitMs;
    remember(network, source === undefined ? { ...caller, allowance: spending.left } : withFamiliar(caller, source));
    return 0;
  }

  function spend(address: string | undefined, count: number): void {
    for (let spent = 0; spent < count; spent += 1) if (note(address, undefined) > 0) return;
  }

  function waitMs(address: string | undefined, source?: Source): number {
    const network = networkOf(address);
    if (network === undefined) return 0;
    const caller = callers.get(network) ?? STRANGER;
    if (source === undefined ? caller.familiar.size > 0 : caller.familiar.has(source.id)) return 0;
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

function withFamiliar(caller: Caller, { id }: Pick<Source, "id">): Caller {
  if (caller.familiar.size >= MAX_FAMILIAR_SOURCES) return caller;
  return { ...caller, familiar: new Set([...caller.familiar, id]) };
}
