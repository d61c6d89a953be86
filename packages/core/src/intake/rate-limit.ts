// Decides whether a number of calls may pass now: a token bucket that fills steadily up to its burst (decision: limits on
// callers). Keeps no state; the caller stores the allowance that is left.

import type { MonoMs } from "../ids.js";

/** A limit on the rate of calls or of deliveries. */
export interface RateLimit {
  /** The rate in the long run, per second; may be a fraction. */
  readonly perSecond: number;
  /** The number that may pass at once after a pause. At least 1. */
  readonly burst: number;
}

/** The number of calls that could still pass at an instant. Negative after a batch that was larger than the burst. */
export interface Allowance {
  readonly calls: number;
  readonly at: MonoMs;
}

/** The decision about calls: they may pass now, with the allowance that is left, or they have to wait for a time. */
export type RateDecision =
  | { readonly kind: "ok"; readonly left: Allowance }
  /**
   * The allowance is unchanged. The same calls pass after `waitMs`, in whole milliseconds, if no other calls pass until
   * then.
   */
  | { readonly kind: "refused"; readonly waitMs: number };

/** The tolerance for rounding errors in sums of calls or tokens. */
export const RATE_ROUNDING = 1e-6;

/**
 * Takes `calls` from an allowance, all of them or none. Without an allowance, the whole burst is available. A batch that is
 * larger than the burst passes when the allowance is full, and makes the allowance negative: otherwise it could never pass.
 */
export function spendCalls(
  limit: RateLimit,
  allowance: Allowance | undefined,
  calls: number,
  now: MonoMs,
): RateDecision {
  const available = allowance === undefined ? limit.burst : refill(limit, allowance.calls, now - allowance.at);
  const shortfall = Math.min(calls, limit.burst) - available;
  if (shortfall <= RATE_ROUNDING) return { kind: "ok", left: { calls: available - calls, at: now } };
  return { kind: "refused", waitMs: gainMs(limit, shortfall) };
}

/** The content of a bucket `elapsedMs` after it had `left`. */
export function refill({ perSecond, burst }: RateLimit, left: number, elapsedMs: number): number {
  return Math.min(burst, left + (elapsedMs * perSecond) / 1_000);
}

/** The time that a bucket takes to gain `tokens` tokens, in whole milliseconds. */
export function gainMs({ perSecond }: RateLimit, tokens: number): number {
  return Math.ceil((tokens / perSecond) * 1_000);
}
