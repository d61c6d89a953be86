// Calculates how far a clock that is asked for its time is from the monotonic clock of the process that asks. Asks nothing itself.

import type { EpochMs, MonoMs } from "../ids.js";

/** The answer of a clock, and the instants of question and answer. */
export interface TimeReading {
  readonly askedAt: MonoMs;
  readonly time: EpochMs;
  readonly answeredAt: MonoMs;
}

/** The number to add to the monotonic clock to get the time of the other clock. */
export interface ClockOffset {
  readonly offsetMs: number;
  /** The most by which it may be wrong, either way. */
  readonly errorMs: number;
}

/** The clock was read at some moment between question and answer. The middle is assumed, so the error is at most half of that time. */
export function clockOffset({ askedAt, time, answeredAt }: TimeReading): ClockOffset {
  const errorMs = (answeredAt - askedAt) / 2;
  return { offsetMs: time - askedAt - errorMs, errorMs };
}
