// A clock that notices steps of its wall clock, by comparing it with the monotonic clock at each reading, so that a
// step that is soon undone is noticed too. Due times that were stored before a step are then late or early by the whole
// step, and the code that reads them must know (decisions: downtime and clock steps; clocks and decisions).

import type { EpochMs } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { CLOCK_STEP_MS } from "../limits.js";
import type { ClockMemory } from "./relay-state.js";
import type { StoreClock } from "./store-clock.js";

/** Each reading of its wall clock is compared with the monotonic clock. */
export interface WatchedClock extends StoreClock {
  /** When this process started, or when its wall clock last stepped (as it does when the machine wakes), whichever is later. */
  claimingSince(): EpochMs;
  /** Whether the clock was set back since the last call. */
  wasSetBack(): boolean;
  /** What the clock has noticed, for the relay that takes over. */
  remember(): ClockMemory;
}

export function createWatchedClock(clock: StoreClock, known?: ClockMemory): WatchedClock {
  let claimingSince = known?.claimingSince ?? clock.wall();
  let offsetMs = known?.offsetMs ?? clock.wall() - clock.monotonic();
  let setBack = known?.wasSetBack ?? false;

  /** Reads the wall clock. A difference that is too small to be a step is a drift, and only changes the offset. */
  function wall(): EpochMs {
    const now = clock.wall();
    const stepMs = now - clock.monotonic() - offsetMs;
    offsetMs += stepMs;
    if (Math.abs(stepMs) >= CLOCK_STEP_MS) {
      claimingSince = now;
      setBack ||= stepMs < 0;
    }
    return now;
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
      const answer = setBack;
      setBack = false;
      return answer;
    },
    remember: () => ({
      claimingSince,
      offsetMs,
      wasSetBack: setBack,
      ...defined({ storeOffsetMs: clock.offsetMs() }),
    }),
  };
}
