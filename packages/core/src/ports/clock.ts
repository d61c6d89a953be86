// The clock port: wall time, monotonic time and timers. Windows and stored instants use the wall clock; durations use the
// monotonic clock. Neither clock may replace the other.

import type { EpochMs, MonoMs } from "../ids.js";

/** Cancels a timer. No effect if the timer has fired or was cancelled before. */
export type Cancel = () => void;

/** The port for time: the wall clock, the monotonic clock, and timers on the latter. All in milliseconds. */
export interface Clock {
  /** The wall clock. It may step in either direction. */
  wall(): EpochMs;
  /** The monotonic clock. It never goes back. */
  monotonic(): MonoMs;
  /** Calls `wake` once, after `delayMs` of monotonic time. Any length is allowed; a delay below 0 counts as 0. */
  after(delayMs: number, wake: () => void): Cancel;
}
