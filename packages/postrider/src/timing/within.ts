// Waits for a promise, up to a time limit.

import type { Clock } from "@postrider/core";

/** Resolves to true once `work` resolves, or to false after `limitMs`. Rejects if `work` rejects before that. */
export function resolvesWithin(clock: Pick<Clock, "after">, limitMs: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(limitMs, () => resolve(false));
    work.then(() => resolve(true), reject).finally(cancel);
  });
}
