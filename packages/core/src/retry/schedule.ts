// Decides when a failed delivery gets its next round (decision: schedule). Delays grow and only ever get longer by
// chance; the last round is drawn from the very end of the window, so that a receiver which comes back late still
// gets its message. Knows nothing of rounds in flight; `now` is the moment of the settlement.

import type { EpochMs } from "../ids.js";
import { LOCAL_FAULT_MAX_MS } from "../limits.js";
import type { RetryPolicy } from "./retry-policy.js";

export type NextRound =
  | { readonly kind: "due"; readonly dueAt: EpochMs }
  /** No further round fits the window. */
  | { readonly kind: "expired" };

/** What the schedule needs to know of a delivery whose round just failed. */
export interface Past {
  /** Recorded rounds, the one that just failed included: at least 1. */
  readonly rounds: number;
  readonly firstAttemptAt: EpochMs;
  /** When the round that just failed began. */
  readonly roundStartedAt: EpochMs;
  /** Until when every endpoint that may still get it has asked to be left alone. */
  readonly heldUntil?: EpochMs;
}

/** Two independent draws from [0, 1): one for the delay, one for the place within the last slot. */
export interface Draws {
  readonly delay: number;
  readonly slot: number;
}

/** When the next round is due. */
export function scheduleRetry(policy: RetryPolicy, past: Past, draws: Draws, now: EpochMs): NextRound {
  const slot = lastSlot(policy, past.firstAttemptAt);
  if (past.roundStartedAt >= slot.from) return { kind: "expired" };

  const natural = Math.max(now + retryDelay(policy, past.rounds, draws.delay), past.heldUntil ?? now);
  if (natural < slot.from) return { kind: "due", dueAt: natural as EpochMs };

  const from = Math.max(slot.from, Math.ceil(now + policy.firstRetryMs));
  if (from > slot.until) return { kind: "expired" };
  return { kind: "due", dueAt: Math.floor(from + draws.slot * (slot.until - from)) as EpochMs };
}

/** The delay after so many recorded rounds, before chance adds to it. Whole milliseconds, at least 1. */
export function baseDelay(policy: RetryPolicy, rounds: number): number {
  return Math.ceil(Math.min(policy.maxRetryMs, policy.firstRetryMs * policy.growth ** (rounds - 1)));
}

/** The delay after so many recorded rounds; `draw` from [0, 1) decides how much is added. */
export function retryDelay(policy: RetryPolicy, rounds: number, draw: number): number {
  const base = baseDelay(policy, rounds);
  return Math.floor(base + draw * policy.jitter * base);
}

/**
 * No retry is due later than so many milliseconds from its settlement, unless a receiver has asked for it. What is due
 * later than that was settled by another clock.
 */
export function longestDelay(policy: RetryPolicy): number {
  const { slotMs } = slotOf(policy);
  return Math.max(LOCAL_FAULT_MAX_MS, Math.ceil(policy.maxRetryMs * (1 + policy.jitter) + slotMs));
}

/** The stretch at the end of the window from which the start of the last round is drawn. */
export function lastSlot(
  policy: RetryPolicy,
  firstAttemptAt: EpochMs,
): { readonly from: EpochMs; readonly until: EpochMs } {
  const { floorMs, slotMs } = slotOf(policy);
  const end = windowEnd(policy, firstAttemptAt);
  return { from: Math.ceil(end - slotMs) as EpochMs, until: Math.floor(end - floorMs) as EpochMs };
}

function slotOf({ retryWindowMs }: RetryPolicy): { readonly floorMs: number; readonly slotMs: number } {
  const floorMs = Math.max(retryWindowMs / 2_000, 50);
  return { floorMs, slotMs: Math.max(retryWindowMs / 250, 2 * floorMs) };
}

/** The last instant at which an attempt may start (spec, webhook destination §8: 4 hours). */
export function windowEnd(policy: RetryPolicy, firstAttemptAt: EpochMs): EpochMs {
  return Math.floor(firstAttemptAt + policy.retryWindowMs) as EpochMs;
}
