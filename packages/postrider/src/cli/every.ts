// Repeats work on the clock of a host, for progress that is shown while something else goes on.

import type { Cancel, Clock } from "@postrider/core";

/** Calls `work` each time `everyMs` have passed, until cancelled. */
export function every(clock: Pick<Clock, "after">, everyMs: number, work: () => void): Cancel {
  let cancel = clock.after(everyMs, turn);
  function turn(): void {
    work();
    cancel = clock.after(everyMs, turn);
  }
  return () => cancel();
}
