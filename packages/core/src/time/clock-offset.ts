// Calculates how far a clock that is asked for its time is from the monotonic clock of the process that asks. Asks nothing itself.

import type { EpochMs, MonoMs } from "../ids.js";

/** What a clock has told, and when it was asked and answered. */
export interface TimeReading {
  readonly askedAt: MonoMs;
  readonly told: EpochMs;
  readonly answeredAt: MonoMs;
}

/** What has to be added to the monotonic clock to get the time of the clock that was asked. */
export interface ClockOffset {
  readonly offsetMs: number;
  /** By how much it may be wrong, either way. */
  readonly errorMs: number;
}

/** The clock was read at some moment between question and answer: taken is the middle, so the error is half of the time between. */
export function clockOffset({ askedAt, told, answeredAt }: TimeReading): ClockOffset {
  const errorMs = (answeredAt - askedAt) / 2;
  return { offsetMs: told - askedAt - errorMs, errorMs };
}
