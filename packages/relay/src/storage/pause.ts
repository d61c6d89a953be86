// A delay by the clock port.

import type { Clock } from "@postrider/core";

/** Resolves after `delayMs` milliseconds. */
export function pauseFor(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve);
  });
}
