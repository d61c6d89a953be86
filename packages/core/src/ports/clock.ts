// The clock port: what time it is, how much has passed, and a call back later. The wall clock rules windows
// and stored instants, the monotonic clock rules durations; neither may stand in for the other.

import type { EpochMs, MonoMs } from "../ids.js";

/** Withdraws a timer. Harmless when it has fired already, or twice. */
export type Cancel = () => void;

export interface Clock {
  /** The wall clock. May step in either direction. */
  wall(): EpochMs;
  /** The monotonic clock. Never goes back. */
  monotonic(): MonoMs;
  /** Calls `wake` once, `delayMs` of monotonic time from now, however long that is; a delay below 0 is 0. */
  after(delayMs: number, wake: () => void): Cancel;
}
