// The ports of time and chance. Windows and stored instants use the wall clock, durations the monotonic clock; neither may
// replace the other. A store that several machines share has a separate clock (decision: time of the store). Randomness is
// the only source of jitter, tokens and random message ids.

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

/** The port for random numbers and bytes. */
export interface Random {
  /** Uniform in [0, 1). */
  unit(): number;
  /** `count` random bytes for tokens and ids; cryptographically secure in production. */
  bytes(count: number): Uint8Array;
}

/** The clock of a store, as machines ask for it. */
export interface SharedClock {
  /** The time in milliseconds since 1970. It may step, as any wall clock. */
  wall(): Promise<EpochMs>;
}
