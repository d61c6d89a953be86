// Waiting, by the clock port.

import type { Clock } from "@postrider/core";

/** Resolves after so many milliseconds. */
export function pause(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve);
  });
}
