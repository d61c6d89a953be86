// Holds what each source has left of the calls that its settings allow (decision: limits on callers). How much that is, is
// decided by core. It lasts as long as the settings: those that come into force next begin anew.

import { type Allowance, type Clock, type Source, spendCalls, type Spending } from "@postrider/core";

export interface SourceLimits {
  /** How long until one call could pass, in milliseconds; 0 if it could now. Spends nothing. */
  waitMs(source: Source): number;
  /** Spends so many calls, and answers 0; or spends none, and answers how long to wait, in milliseconds. */
  spend(source: Source, calls: number): number;
}

/** Limits for whatever sources have one. */
export function createSourceLimits(clock: Pick<Clock, "monotonic">): SourceLimits {
  const allowances = new WeakMap<Source, Allowance>();
  return {
    waitMs: (source) => waitOf(ask(source, 1)),
    spend: (source, calls) => {
      const spending = ask(source, calls);
      if (spending?.kind === "within") allowances.set(source, spending.left);
      return waitOf(spending);
    },
  };

  function ask(source: Source, calls: number): Spending | undefined {
    if (source.rateLimit === undefined) return undefined;
    return spendCalls(source.rateLimit, allowances.get(source), calls, clock.monotonic());
  }
}

function waitOf(spending: Spending | undefined): number {
  return spending?.kind === "over" ? spending.waitMs : 0;
}
