// Timers that are also looked at by the clock. One client serves all requests of an edge worker, whose runtime drops the timers and the
// answers that a request waits for once that request has ended.

import type { Cancel, Clock } from "@postrider/core";
import { LOOK_AGAIN_MS } from "./limits.js";

export interface Timers extends Clock {
  /** Fires each timer whose time has come and that has not fired. */
  look(): void;
  /** Calls `work` now, or, while requests wait, in the one of them that has come last: it is the last to end. */
  hand(work: () => void): void;
  /**
   * Resolves with the promise, which must not reject, or after this time. Meanwhile, timers of the request that awaits it look again and
   * again.
   */
  attend(awaited: Promise<unknown>, timeoutMs: number): Promise<void>;
}

interface Waiter {
  wake: () => void;
}

/** Timers of `clock`; those of `waitingClock` run while a caller waits, and may keep the process running. */
export function createTimers(clock: Clock, waitingClock: Clock): Timers {
  /** The functions that are to be called, with their times. */
  const calls = new Map<() => void, number>();
  const waiters = new Set<Waiter>();
  /** Nothing is due before this time. */
  let earliest = Infinity;

  function add(call: () => void, at: number): void {
    calls.set(call, at);
    earliest = Math.min(earliest, at);
  }

  function fire(call: () => void): void {
    if (calls.delete(call)) call();
  }

  function after(delayMs: number, wake: () => void): Cancel {
    const call = (): void => {
      stop();
      wake();
    };
    const stop = clock.after(delayMs, () => fire(call));
    add(call, clock.monotonic() + delayMs);
    return () => {
      calls.delete(call);
      stop();
    };
  }

  function look(): void {
    const nowMs = clock.monotonic();
    if (nowMs < earliest) return;
    for (const [call, at] of [...calls]) if (at <= nowMs) fire(call);
    earliest = Math.min(...calls.values());
  }

  /** Looks, in the request that has come last of those that wait. */
  function lookInLast(): void {
    const last = [...waiters].pop();
    if (last === undefined) look();
    else last.wake();
  }

  async function attend(awaited: Promise<unknown>, timeoutMs: number): Promise<void> {
    const until = clock.monotonic() + timeoutMs;
    const waiter: Waiter = { wake: () => undefined };
    waiters.add(waiter);
    void awaited.then(() => {
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
    lookInLast();
  }

  return {
    wall: () => clock.wall(),
    monotonic: () => clock.monotonic(),
    after,
    look,
    hand: (work): void => {
      add(work, clock.monotonic());
      lookInLast();
    },
    attend,
  };
}
