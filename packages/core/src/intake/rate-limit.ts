// Decides whether so many calls may come in now: an allowance that fills steadily up to its burst. Holds nothing itself;
// whoever asks keeps what is left (decision: limits on callers).

import type { MonoMs } from "../ids.js";

export interface RateLimit {
  /** How many calls a second in the long run; may be a fraction. */
  readonly perSecond: number;
  /** How many at once after a pause. At least 1. */
  readonly burst: number;
}

/** What was left at a time. Below zero after a batch that was larger than the burst. */
export interface Allowance {
  readonly calls: number;
  readonly at: MonoMs;
}

export type Spending =
  | { readonly kind: "within"; readonly left: Allowance }
  /** Nothing is spent; so many calls can pass after `waitMs`, in whole milliseconds, if nobody else calls. */
  | { readonly kind: "over"; readonly waitMs: number };

/** What floating point may be off by in sums of calls. */
const ROUNDING_CALLS = 1e-6;

/**
 * Takes `calls` from an allowance, all or none of them; a caller who is new has its whole burst. A batch that is larger
 * than the burst passes when the allowance is full and leaves a debt: it would be refused for ever otherwise.
 */
export function spendCalls(limit: RateLimit, allowance: Allowance | undefined, calls: number, now: MonoMs): Spending {
  const available = allowance === undefined ? limit.burst : refill(limit, allowance, now);
  const lacking = Math.min(calls, limit.burst) - available;
  if (lacking <= ROUNDING_CALLS) return { kind: "within", left: { calls: available - calls, at: now } };
  return { kind: "over", waitMs: Math.ceil((lacking / limit.perSecond) * 1_000) };
}

function refill({ perSecond, burst }: RateLimit, { calls, at }: Allowance, now: MonoMs): number {
  return Math.min(burst, calls + ((now - at) * perSecond) / 1_000);
}
