// The clock of a relay. Its wall clock follows that of the store, if the store has one, so that all servers on a store have the same
// time however wrong the clocks of their machines are (decision: time of the store). Does not ask the store itself.

import { type Clock, type EpochMs, epochMs, type MonoMs } from "@postrider/core";
import { type ClockOffset, clockOffset, type TimeReading } from "@postrider/core/engine";
import { CLOCK_STEP_MS, READ_TIME_EVERY_MS } from "../limits.js";

export interface StoreClock extends Clock {
  /** The wall clock of this machine. It shows how much time has passed while the monotonic clock stood still, as in sleep. */
  readonly machineWall: () => EpochMs;
  /** Sets the wall clock by the best of several readings of the store's. There is at least one. */
  readonly set: (readings: readonly TimeReading[]) => void;
  /** Whether the wall clock follows the store's by now. */
  readonly isSet: () => boolean;
  /** Whether the store's clock has to be read: it never was, it was long ago, or the machine has slept since. */
  readonly isOld: () => boolean;
  /** How far the wall clock is from the monotonic one; undefined until it is set. */
  readonly offsetMs: () => number | undefined;
}

/** `knownMs`: the offset that the former relay of this process had. */
export function createStoreClock(clock: Clock, knownMs?: number): StoreClock {
  let offsetMs = knownMs;
  let readAt: MonoMs | undefined;
  let machineOffsetMs = 0;

  /** How far the two clocks of this machine are apart. It changes if the machine sleeps, or its wall clock is set. */
  function machineOffset(): number {
    return clock.wall() - clock.monotonic();
  }

  return {
    wall: () => (offsetMs === undefined ? clock.wall() : epochMs(Math.floor(clock.monotonic() + offsetMs))),
    monotonic: () => clock.monotonic(),
    after: (delayMs, wake) => clock.after(delayMs, wake),
    machineWall: () => clock.wall(),
    set: (readings): void => {
      offsetMs = closest(readings.map(clockOffset)).offsetMs;
      readAt = clock.monotonic();
      machineOffsetMs = machineOffset();
    },
    isSet: () => offsetMs !== undefined,
    isOld: () =>
      readAt === undefined ||
      clock.monotonic() - readAt >= READ_TIME_EVERY_MS ||
      Math.abs(machineOffset() - machineOffsetMs) >= CLOCK_STEP_MS,
    offsetMs: () => offsetMs,
  };
}

function closest(offsets: readonly ClockOffset[]): ClockOffset {
  return offsets.reduce((best, one) => (one.errorMs < best.errorMs ? one : best));
}
