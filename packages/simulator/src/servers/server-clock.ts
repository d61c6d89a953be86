// The clock of one server: the true clock, except that its wall clock is off, drifts, and can be stepped.

import { type Clock, epochMs } from "@postrider/core";
import type { SimulatedServer } from "../simulation.js";

export interface ServerClock extends Clock {
  /** Steps the wall clock of this server alone. */
  readonly stepWall: (ms: number) => void;
}

export function createServerClock(trueClock: Clock, { aheadMs = 0, driftPpm = 0 }: SimulatedServer): ServerClock {
  let offMs = aheadMs;
  return {
    wall: () => epochMs(Math.floor(trueClock.wall() + offMs + (trueClock.monotonic() * driftPpm) / 1_000_000)),
    monotonic: () => trueClock.monotonic(),
    after: (delayMs, wake) => trueClock.after(delayMs, wake),
    stepWall: (ms): void => {
      offMs += ms;
    },
  };
}
