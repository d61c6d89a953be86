// The clock of the host runtime, over Web globals only. Each timer is checked against the monotonic clock when it fires:
// the platform's timer may fire a fraction of a millisecond early, and a delay over 2^31-1 ms would fire at once.

import type { Cancel, Clock } from "@postrider/core";
import { epochMs, monoMs } from "@postrider/core/batch";

/** The longest delay that `setTimeout` supports, in milliseconds: a longer delay would fire at once, so it is split. */
const MAX_TIMER_MS = 2_147_483_647;

/** The options of `createSystemClock`. */
export interface SystemClockOptions {
  /**
   * If true, a pending timer keeps the process running: cancel timers that are no longer needed, as the relay does in `stop`. If false,
   * work that waits in memory is lost when a script ends. True if absent. No effect on a runtime without processes.
   */
  readonly keepsProcess?: boolean;
}

/** The wall clock, the monotonic clock and the timers of this runtime. */
export function createSystemClock({ keepsProcess = true }: SystemClockOptions = {}): Clock {
  return {
    wall: () => epochMs(Date.now()),
    monotonic: () => monoMs(performance.now()),
    after: (delayMs, wake) => after(delayMs, wake, keepsProcess ? keep : release),
  };
}

type Timer = ReturnType<typeof setTimeout>;

function after(delayMs: number, wake: () => void, treat: (timer: Timer) => Timer): Cancel {
  const dueAt = performance.now() + Math.max(0, delayMs);
  let timer = treat(setTimeout(check, timerMs(delayMs)));
  return () => {
    clearTimeout(timer);
  };

  function check(): void {
    const leftMs = dueAt - performance.now();
    if (leftMs > 0) timer = treat(setTimeout(check, timerMs(leftMs)));
    else wake();
  }
}

function keep(timer: Timer): Timer {
  return timer;
}

function release(timer: Timer): Timer {
  if (canBeReleased(timer)) timer.unref();
  return timer;
}

/** True if a timer can be released: on Node and Bun it has `unref`, in browsers it is a number. */
function canBeReleased(timer: unknown): timer is { unref(): unknown } {
  return typeof timer === "object" && timer !== null && "unref" in timer;
}

function timerMs(delayMs: number): number {
  return Math.min(Math.max(0, Math.ceil(delayMs)), MAX_TIMER_MS);
}
