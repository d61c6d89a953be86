// The retry policy: its numbers and, if the host gives one, its schedule. The specification sets the window (webhook destination §7: 5xx
// is retried for at most 4 hours), and leaves the number and the delays of retries open (decision: schedule).

import type { RetrySchedule } from "./retry-schedule.js";

/** Durations in milliseconds. */
export interface RetryPolicy {
  /** The retry window: no attempt starts later than this after the first recorded attempt. */
  readonly retryWindowMs: number;
  /** The shortest delay before any retry. */
  readonly firstRetryMs: number;
  /** The longest delay; jitter is added to it. */
  readonly maxRetryMs: number;
  /** The factor by which the delay grows from round to round; at least 1. */
  readonly growth: number;
  /** The most that jitter adds to a delay, as a share of the delay d: with 0.5, delays are drawn from d to 1.5 d. */
  readonly jitter: number;
  /** The longest hold that a Retry-After can cause; up to a fifth of it is added (`RETRY_AFTER_JITTER`). */
  readonly maxRetryAfterMs: number;
  /** Decides the delays in place of `maxRetryMs`, `growth` and `jitter`. By code only: a config file cannot hold a function. */
  readonly schedule?: RetrySchedule;
}

/** 4 hours by specification; delays from 5 seconds to 15 minutes, doubling; holds of at most 5 minutes. */
export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  retryWindowMs: 14_400_000,
  firstRetryMs: 5_000,
  maxRetryMs: 900_000,
  growth: 2,
  jitter: 0.5,
  maxRetryAfterMs: 300_000,
};
