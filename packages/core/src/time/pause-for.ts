// A delay as a promise. The given clock decides how time passes.

import type { Clock } from "../ports/clock.js";

/** Resolves after `delayMs` milliseconds. */
export function pauseFor(clock: Pick<Clock, "after">, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve);
  });
}
