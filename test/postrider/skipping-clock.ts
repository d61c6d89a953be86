// The real clock, which a test can set forward, so that a timer of an hour fires at once. For servers on real sockets; the
// time limits of sockets are not changed by it.

import type { Cancel, Clock, EpochMs, MonoMs } from "@postrider/core";
import { createSystemClock } from "@postrider/system";

export interface SkippingClock extends Clock {
  /** Sets both clocks forward by `ms`. Timers that are due by then fire in order before it returns. */
  skip(ms: number): void;
}

interface Timer {
  readonly dueAt: number;
  readonly fire: () => void;
  cancel: Cancel;
}

export function createSkippingClock(): SkippingClock {
  const clock = createSystemClock();
  const timers = new Set<Timer>();
  let skippedMs = 0;
  const monotonic = (): MonoMs => (clock.monotonic() + skippedMs) as MonoMs;

  function after(delayMs: number, wake: () => void): Cancel {
    const drop = (): void => {
      timers.delete(timer);
      timer.cancel();
    };
    const fire = (): void => {
      drop();
      wake();
    };
    const timer: Timer = { dueAt: monotonic() + Math.max(0, delayMs), fire, cancel: clock.after(delayMs, fire) };
    timers.add(timer);
    return drop;
  }

  return {
    wall: () => (clock.wall() + skippedMs) as EpochMs,
    monotonic,
    after,
    skip: (ms) => {
      skippedMs += ms;
      for (const timer of [...timers].toSorted((a, b) => a.dueAt - b.dueAt)) {
        if (!timers.has(timer)) continue;
        timer.cancel();
        if (timer.dueAt <= monotonic()) timer.fire();
        else timer.cancel = clock.after(timer.dueAt - monotonic(), timer.fire);
      }
    },
  };
}
