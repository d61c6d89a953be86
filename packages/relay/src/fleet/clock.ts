// The clock of a relay. Its wall clock follows that of the store, if the store has one, so that all servers on a store have the same
// time (decision: time of the store). It notices steps by comparing itself with the monotonic clock at each reading: due times that
// were stored before a step are then late or early by the whole step (decisions: downtime and clock steps; clocks and decisions).

import { type Clock, type EpochMs, epochMs, type MonoMs } from "@postrider/core";
import { type ClockOffset, clockOffset, type TimeReading, defined } from "@postrider/core/engine";
import { ok, type Result, ResultAsync } from "neverthrow";
import { CLOCK_STEP_MS, READ_TIME_EVERY_MS, GOOD_TIME_ERROR_MS, MAX_TIME_READINGS } from "../limits.js";
import type { ClockMemory } from "../relay-state.js";
import { type StoreFault, toRelayFault } from "../fault.js";
import type { OrStalled } from "../commits/stall.js";

export interface StoreClock extends Clock {
  /** The wall clock of this machine. It shows how much time has passed while the monotonic clock stood still, as in sleep. */
  readonly machineWall: () => EpochMs;
  /** Sets the wall clock by the best of these readings of the store's, of which there is at least one. */
  readonly set: (readings: readonly TimeReading[]) => void;
  /** True if the wall clock follows the store's. */
  readonly isSet: () => boolean;
  /** True if the store's clock has to be read: it never was, it was long ago, or the machine has slept since. */
  readonly isOld: () => boolean;
  /** The difference between the wall clock and the monotonic one; undefined until it is set. */
  readonly offsetMs: () => number | undefined;
}

/** `knownMs`: the offset that the former relay of this process had. */
export function createStoreClock(clock: Clock, knownMs?: number): StoreClock {
  let offsetMs = knownMs;
  let readAt: MonoMs | undefined;
  let machineOffsetMs = 0;

  /** The difference between the two clocks of this machine. It changes if the machine sleeps, or its wall clock is set. */
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
  return offsets.reduce((best, offset) => (offset.errorMs < best.errorMs ? offset : best));
}

/** Each reading of its wall clock is compared with the monotonic clock. */
export interface WatchedClock extends StoreClock {
  /** The start of this process, or the last step of its wall clock (as after a sleep of the machine), whichever is later. */
  claimingSince(): EpochMs;
  /** True if the clock was set back since the last call. */
  wasSetBack(): boolean;
  /** The memory of the clock, for the relay that takes over. */
  remember(): ClockMemory;
}

export function createWatchedClock(clock: StoreClock, known?: ClockMemory): WatchedClock {
  let claimingSince = known?.claimingSince ?? clock.wall();
  let offsetMs = known?.offsetMs ?? clock.wall() - clock.monotonic();
  let hasBeenSetBack = known?.wasSetBack ?? false;

  /** Reads the wall clock. A difference that is too small to be a step is a drift, and only changes the offset. */
  function wall(): EpochMs {
    const wallMs = clock.wall();
    const stepMs = wallMs - clock.monotonic() - offsetMs;
    offsetMs += stepMs;
    if (Math.abs(stepMs) >= CLOCK_STEP_MS) {
      claimingSince = wallMs;
      hasBeenSetBack ||= stepMs < 0;
    }
    return wallMs;
  }

  return {
    ...clock,
    wall,
    set: (readings): void => {
      const isFirst = !clock.isSet();
      clock.set(readings);
      if (!isFirst) return;
      // Nothing was stored by the time that was shown until now.
      claimingSince = clock.wall();
      offsetMs = claimingSince - clock.monotonic();
    },
    claimingSince: (): EpochMs => {
      wall();
      return claimingSince;
    },
    wasSetBack: (): boolean => {
      wall();
      const answer = hasBeenSetBack;
      hasBeenSetBack = false;
      return answer;
    },
    remember: () => ({
      claimingSince,
      offsetMs,
      wasSetBack: hasBeenSetBack,
      ...defined({ storeOffsetMs: clock.offsetMs() }),
    }),
  };
}

/** Reads the store's clock if the last reading is old. Resolves with the fault if it could not be read. */
export type FollowTime = () => ResultAsync<void, StoreFault>;

interface FollowContext {
  readonly clock: Pick<StoreClock, "monotonic" | "set" | "isOld">;
  readonly askTime: () => ResultAsync<EpochMs, StoreFault>;
}

export function createFollowTime({ clock, askTime }: FollowContext): FollowTime {
  let underWay: Promise<Result<void, StoreFault>> | undefined;

  /** Reads until the error of a reading is small. If none is, or a further one fails, the best of the readings is used. */
  async function readTime(): Promise<Result<void, StoreFault>> {
    const readings: TimeReading[] = [];
    while (readings.length < MAX_TIME_READINGS) {
      const askedAt = clock.monotonic();
      const answer = await askTime();
      const answeredAt = clock.monotonic();
      if (answer.isErr() && readings.length === 0) return answer.map(nothing);
      if (answer.isErr()) break;
      readings.push({ askedAt, time: answer.value, answeredAt });
      if (answeredAt - askedAt <= 2 * GOOD_TIME_ERROR_MS) break;
    }
    clock.set(readings);
    return ok(undefined);
  }

  return () => {
    if (!clock.isOld()) return new ResultAsync(Promise.resolve(ok(undefined)));
    underWay ??= readTime().finally(() => {
      underWay = undefined;
    });
    return new ResultAsync(underWay);
  };
}

function nothing(): void {
  // Only the fault is of interest.
}

interface OnTimeContext {
  readonly clock: Pick<StoreClock, "isSet">;
  /** Undefined if the store has no clock: then nothing waits. */
  readonly followTime: FollowTime | undefined;
}

/** Has the clock set before a request begins. */
export function onTime(orStalled: OrStalled, { clock, followTime }: OnTimeContext): OrStalled {
  if (followTime === undefined) return orStalled;
  return <T, E>(work: () => ResultAsync<T, E>) =>
    clock.isSet() ? orStalled(work) : orStalled(() => followTime().mapErr(toRelayFault).andThen(work));
}
