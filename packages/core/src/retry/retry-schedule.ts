// The types of a schedule as a function, which a host may give in place of growth and jitter (decision: own schedules). schedule.ts has
// the default, asks the function, and keeps its answers within the bounds of the policy.

import type { AttemptRecord } from "../delivery/delivery.js";
import type { EpochMs } from "../ids.js";

/**
 * Decides the delays of a delivery by code. It is a pure function of its argument: the same delivery may be asked about
 * again after a crash, by another process. The window and `firstRetryMs` still hold, and a Retry-After but for the last round. It is not asked when every
 * endpoint has refused a delivery for the first time: the next round then comes after `CONFIRM_AFTER_MS` (30 seconds) and its jitter;
 * after `maxRetryMs` if that is shorter, but not before `firstRetryMs` (decision: refusals).
 */
export interface RetrySchedule {
  /** Shown in the log. */
  readonly name: string;
  /**
   * The milliseconds from `now` to the next round, or `"give-up"`: the delivery is dead then, as `refused` if every endpoint refused it in
   * the end, otherwise as `expired`. A shorter delay than `firstRetryMs` is lengthened to it; a round that would start in the last slot of
   * the window, or later, starts in that slot. If the function throws, or answers anything but a finite number, the numbers of the policy decide.
   */
  readonly next: (failure: ScheduleInput) => number | "give-up";
}

/** The history of a delivery whose round has just failed. */
export interface RetryHistory {
  /** The number of recorded rounds, the failed one included: at least 1. */
  readonly rounds: number;
  readonly firstAttemptAt: EpochMs;
  /** The start of the failed round. */
  readonly roundStartedAt: EpochMs;
  /**
   * If all endpoints that have not refused the delivery for good are on hold: when the first of these holds ends. Otherwise absent, or
   * not later than `now`.
   */
  readonly heldUntil?: EpochMs;
  /** The attempts of the failed round. None if absent. */
  readonly attempts?: readonly FailedAttempt[];
}

/** An attempt of a failed round, one for each endpoint that was tried. */
type FailedAttempt = Pick<AttemptRecord, "endpoint" | "result" | "verdict">;

/** The facts on which a schedule decides. Instants in milliseconds since 1970. */
export interface ScheduleInput extends Required<Omit<RetryHistory, "heldUntil">>, Pick<RetryHistory, "heldUntil"> {
  /** The end of the retry window: no attempt starts after it. */
  readonly windowEndsAt: EpochMs;
  readonly now: EpochMs;
  /** Drawn anew for each question, from [0, 1). Use it instead of `Math.random`, so that a simulation can be repeated. */
  readonly draw: number;
}

/** The reason for which a schedule was not followed: it threw, or its answer is no finite number. */
export type ScheduleFault = "threw" | "no-number";
