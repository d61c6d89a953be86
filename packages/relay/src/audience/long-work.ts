// Long work that runs beside other work: whether it should go on, and how it lets other work run.

import type { Clock } from "@postrider/core";
import { pauseFor } from "@postrider/core/engine";
import { LONG_WORK_SLICE_MS } from "../limits.js";

export interface LongWork {
  readonly shouldContinue: () => boolean;
  /**
   * Lets other work run if `LONG_WORK_SLICE_MS` or more have passed since it last did so, the time of waiting included;
   * otherwise returns undefined, so that the caller need not wait.
   */
  readonly yieldIfLong: () => Promise<void> | undefined;
  /** Resolves after `delayMs` milliseconds. */
  readonly pause: (delayMs: number) => Promise<void>;
}

/** Begins a piece of long work. The time until other work first runs is counted from now on. */
export function createLongWork(clock: Clock, shouldContinue: () => boolean): LongWork {
  let since = clock.monotonic();

  async function rest(): Promise<void> {
    await pauseFor(clock, 0);
    since = clock.monotonic();
  }

  return {
    shouldContinue,
    yieldIfLong: () => (clock.monotonic() - since < LONG_WORK_SLICE_MS ? undefined : rest()),
    pause: (delayMs) => pauseFor(clock, delayMs),
  };
}
