// Waits for something, but not for ever.

import type { Clock } from "@postrider/core";

/** Resolves once `work` is done, at the latest after `limitMs`: whether it was done. */
export function within(clock: Clock, limitMs: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(limitMs, () => resolve(false));
    work.then(() => resolve(true), reject).finally(cancel);
  });
}
