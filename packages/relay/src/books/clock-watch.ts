// Notices when the wall clock steps, by comparing it with the monotonic one at every look. What was stored under the old
// time is then late or early by the whole step, and whoever reads due times must know (decision: outages of our own).

import type { Clock, EpochMs } from "@postrider/core";
import { CLOCK_STEP_MS } from "../limits.js";

export interface ClockWatch {
  /** Since when this process has been awake, by a wall clock that has not stepped since. */
  awakeSince(): EpochMs;
  /** Whether the clock was set back since this was asked last. */
  wasSetBack(): boolean;
}

export function createClockWatch(clock: Clock): ClockWatch {
  let awakeSince = clock.wall();
  let offsetMs = clock.wall() - clock.monotonic();
  let setBack = false;

  /** A drift too small to be a step is followed. */
  function look(): void {
    const wall = clock.wall();
    const stepMs = wall - clock.monotonic() - offsetMs;
    offsetMs += stepMs;
    if (Math.abs(stepMs) < CLOCK_STEP_MS) return;
    awakeSince = wall;
    setBack ||= stepMs < 0;
  }

  return {
    awakeSince: (): EpochMs => {
      look();
      return awakeSince;
    },
    wasSetBack: (): boolean => {
      look();
      const answer = setBack;
      setBack = false;
      return answer;
    },
  };
}
