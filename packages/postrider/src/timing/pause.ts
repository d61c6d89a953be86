// Waits for a given time, by a given clock.

import type { Clock } from "@postrider/core";

export function pause(clock: Pick<Clock, "after">, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve);
  });
}
