// Timers that also fire when the client looks whether they are due. One client serves all requests of an edge worker, whose runtime drops
// the timers and the answers that a request waits for once that request has ended.

import type { Cancel, Clock } from "@postrider/core";
import { LOOK_AGAIN_MS } from "./limits.js";

export interface Timers extends Clock {
  /** Fires each timer whose time has come and that has not fired. */
  look(): void;
  /** Calls `work` now. While requests wait in `attend`, the latest of them calls it, since it is likely the last to end. */
  hand(work: () => void): void;
  /**
   * Resolves with the promise, which must not reject, or after this time. Meanwhile, the request that waits looks at the timers again
   * and again.
   */
  attend(promise: Promise<unknown>, timeoutMs: number): Promise<void>;
}

interface Waiter {
  wake: () => void;
}

/** Timers of `clock`; those of `waitingClock` run while a caller waits, and may keep the process running. */
export function createTimers(clock: Clock, waitingClock: Clock): Timers {
  /** The functions that are to be called, with their times. */
  const timers = new Map<() => void, number>();
  const waiters = new Set<Waiter>();
  /** Nothing is due before this time. */
  let earliest = Infinity;

  function add(timer: () => void, at: number): void {
    timers.set(timer, at);
    earliest = Math.min(earliest, at);
  }

  function fire(timer: () => void): void {
    if (timers.delete(timer)) timer();
  }

  function after(delayMs: number, wake: () => void): Cancel {
    const timer = (): void => {
      stop();
      wake();
    };
    const stop = clock.after(delayMs, () => fire(timer));
    add(timer, clock.monotonic() + delayMs);
    return () => {
      timers.delete(timer);
      stop();
    };
  }

  function look(): void {
    const nowMs = clock.monotonic();
    if (nowMs < earliest) return;
    for (const [timer, at] of [...timers]) if (at <= nowMs) fire(timer);
    earliest = Math.min(...timers.values());
  }

  /** Looks at the timers, in the latest of the requests that wait. */
  function lookInLatest(): void {
    const latest = [...waiters].pop();
    if (latest === undefined) look();
    else latest.wake();
  }

  async function attend(promise: Promise<unknown>, timeoutMs: number): Promise<void> {
    const until = clock.monotonic() + timeoutMs;
    const waiter: Waiter = { wake: () => undefined };
    waiters.add(waiter);
    void promise.then(() => {
      waiters.delete(waiter);
      waiter.wake();
    });
    do {
      const nowMs = clock.monotonic();
      let stop: Cancel = () => undefined;
      await new Promise<void>((resolve) => {
        waiter.wake = resolve;
        stop = waitingClock.after(Math.min(earliest, until, nowMs + LOOK_AGAIN_MS) - nowMs, resolve);
      });
      stop();
      if (waiters.has(waiter)) look();
    } while (waiters.has(waiter) && clock.monotonic() < until);
    waiters.delete(waiter);
    lookInLatest();
  }

  return {
    wall: () => clock.wall(),
    monotonic: () => clock.monotonic(),
    after,
    look,
    hand: (work): void => {
      add(work, clock.monotonic());
      lookInLatest();
    },
    attend,
  };
}
