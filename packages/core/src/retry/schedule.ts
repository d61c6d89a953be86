// Decides when a failed delivery gets its next round (decision: schedule). Delays grow, and jitter only lengthens them. The
// last round is placed at the end of the retry window, so that a receiver that recovers late still gets its message. Must not
// know rounds in flight.

import { type EpochMs, epochMs } from "../ids.js";
import { END_MARGIN_DIVISOR, LAST_SLOT_DIVISOR, LOCAL_FAULT_MAX_MS, MIN_END_MARGIN_MS } from "../limits.js";
import type { RetryPolicy } from "./retry-policy.js";

/** When the next round of a delivery is due, or that there is none. */
export type NextRound =
  | { readonly kind: "due"; readonly dueAt: EpochMs }
  /** No further round fits into the window. */
  | { readonly kind: "expired" };

/** The history of a delivery whose round has just failed. */
export interface RetryHistory {
  /** The number of recorded rounds, the failed one included: at least 1. */
  readonly rounds: number;
  readonly firstAttemptAt: EpochMs;
  /** When the failed round started. */
  readonly roundStartedAt: EpochMs;
  /**
   * If all endpoints that have not refused the delivery are on hold: when the first of these holds ends. Otherwise absent, or
   * not later than `now`.
   */
  readonly heldUntil?: EpochMs;
}

/** Two independent draws from [0, 1): one for the delay, one for the instant within the last slot. */
export interface Draws {
  readonly delay: number;
  readonly slot: number;
}

/** When the next round is due; `now` is the instant of the settlement. */
export function scheduleRetry(policy: RetryPolicy, history: RetryHistory, draws: Draws, now: EpochMs): NextRound {
  const slot = lastSlot(policy, history.firstAttemptAt);
  if (history.roundStartedAt >= slot.from) return { kind: "expired" };

  const afterDelay = Math.max(now + retryDelay(policy, history.rounds, draws.delay), history.heldUntil ?? now);
  if (afterDelay < slot.from) return { kind: "due", dueAt: epochMs(afterDelay) };

  const from = Math.max(slot.from, Math.ceil(now + policy.firstRetryMs));
  if (from > slot.until) return { kind: "expired" };
  return { kind: "due", dueAt: epochMs(Math.floor(from + draws.slot * (slot.until - from))) };
}

/** The delay after `rounds` recorded rounds, without jitter. Whole milliseconds, at least 1. */
export function baseDelay(policy: RetryPolicy, rounds: number): number {
  return Math.ceil(Math.min(policy.maxRetryMs, policy.firstRetryMs * policy.growth ** (rounds - 1)));
}

/** The delay after `rounds` recorded rounds, with jitter by `draw` from [0, 1). Whole milliseconds. */
export function retryDelay(policy: RetryPolicy, rounds: number, draw: number): number {
  const base = baseDelay(policy, rounds);
  return Math.floor(base + draw * policy.jitter * base);
}

/**
 * The longest time from a settlement to the retry, in milliseconds, unless a hold lengthens it. If a delivery is due later
 * than that, the clock was set back after the settlement.
 */
export function longestDelay(policy: RetryPolicy): number {
  const { slotMs } = slotOf(policy);
  return Math.max(LOCAL_FAULT_MAX_MS, Math.ceil(policy.maxRetryMs * (1 + policy.jitter) + slotMs));
}

/** The last slot: the range at the end of the window from which the start of the last round is drawn. */
export function lastSlot(
  policy: RetryPolicy,
  firstAttemptAt: EpochMs,
): { readonly from: EpochMs; readonly until: EpochMs } {
  const { marginMs, slotMs } = slotOf(policy);
  const end = windowEnd(policy, firstAttemptAt);
  return { from: epochMs(Math.ceil(end - slotMs)), until: epochMs(Math.floor(end - marginMs)) };
}

/** The length of the last slot, margin included, and the margin at the end of the window in which no round is placed. */
function slotOf({ retryWindowMs }: RetryPolicy): { readonly marginMs: number; readonly slotMs: number } {
  const marginMs = Math.max(retryWindowMs / END_MARGIN_DIVISOR, MIN_END_MARGIN_MS);
  return { marginMs, slotMs: Math.max(retryWindowMs / LAST_SLOT_DIVISOR, 2 * marginMs) };
}

/** The end of the retry window: the last instant at which an attempt may start (spec, webhook destination §7: 4 hours). */
export function windowEnd(policy: RetryPolicy, firstAttemptAt: EpochMs): EpochMs {
  return epochMs(Math.floor(firstAttemptAt + policy.retryWindowMs));
}
