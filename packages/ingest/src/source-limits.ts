// Counts how many calls each source may still make under its rate limit (decision: limits on callers). Core does the
// arithmetic. When new settings come into force, each source has its full allowance again.

import type { Clock, Source } from "@postrider/core";
import { type Allowance, spendCalls, type RateDecision } from "@postrider/core/engine";

export interface SourceLimits {
  /** Milliseconds until a call is allowed; 0 if one is allowed now. Spends nothing. */
  waitMs(source: Source): number;
  /** Spends this many calls and returns 0; or spends none and returns how many milliseconds to wait. */
  spend(source: Source, calls: number): number;
}

/** Sources without a rate limit are never limited. */
export function createSourceLimits(clock: Pick<Clock, "monotonic">): SourceLimits {
  const allowances = new WeakMap<Source, Allowance>();
  return {
    waitMs: (source) => waitOf(ask(source, 1)),
    spend: (source, calls) => {
      const spending = ask(source, calls);
      if (spending?.kind === "ok") allowances.set(source, spending.left);
      return waitOf(spending);
    },
  };

  function ask(source: Source, calls: number): RateDecision | undefined {
    if (source.rateLimit === undefined) return undefined;
    return spendCalls(source.rateLimit, allowances.get(source), calls, clock.monotonic());
  }
}

function waitOf(spending: RateDecision | undefined): number {
  return spending?.kind === "refused" ? spending.waitMs : 0;
}
