// The clock of the host runtime, over Web globals alone. Each timer is checked against the monotonic clock when it
// fires: the platform's may fire a fraction of a millisecond early, and a delay over 2^31-1 ms would fire at once.
// A pending timer keeps the process up, so that what waits in memory is not dropped by falling off the end of a script;
// whoever set it cancels it when done (the relay does so in `stop`).

import type { Cancel, Clock, EpochMs, MonoMs } from "@postrider/core";

/** The longest delay that `setTimeout` takes, in milliseconds; a longer one is waited for in parts. */
const MAX_TIMER_MS = 2_147_483_647;

/** The wall clock, the monotonic clock and the timers of this runtime. */
export function createSystemClock(): Clock {
  return {
    wall: () => Date.now() as EpochMs,
    monotonic: () => performance.now() as MonoMs,
    after,
  };
}

function after(delayMs: number, wake: () => void): Cancel {
  const dueAt = performance.now() + Math.max(0, delayMs);
  let timer = setTimeout(check, partOf(delayMs));
  return () => {
    clearTimeout(timer);
  };

  function check(): void {
    const leftMs = dueAt - performance.now();
    if (leftMs > 0) timer = setTimeout(check, partOf(leftMs));
    else wake();
  }
}

function partOf(delayMs: number): number {
  return Math.min(Math.max(0, Math.ceil(delayMs)), MAX_TIMER_MS);
}
