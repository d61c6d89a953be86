// A clock that moves only on request. Timers fire in order, each at its time, and the promises that one sets off are
// settled before the next fires: hours of waiting take milliseconds, and every run is the same.

import { type Cancel, type Clock, type EpochMs, epochMs, type MonoMs, monoMs } from "@postrider/core";
import { createOrderedHeap, type OrderedHeap, type HeapMember } from "./ordered-heap.js";

export interface ManualClock extends Clock {
  /**
   * Moves both clocks on by `ms`, and fires the timers that are due on the way, in order. One call at a time: await it.
   * Rejects if timers never come to an end.
   */
  advance(ms: number): Promise<void>;
  /** Steps the wall clock alone, forward or back; timers go by the other one. */
  stepWall(ms: number): void;
  /** Waits until the promises under way are settled, without moving the clock. */
  settle(): Promise<void>;
  /** When the next timer fires; undefined when none is set. */
  nextTimerAt(): MonoMs | undefined;
}

export interface ManualClockOptions {
  /** The first time of the wall clock; 2026-01-01T00:00:00Z if left out. */
  readonly wall?: EpochMs;
  /**
   * Waits until the promises under way are settled. By default that is one turn of the event loop, which settles promise
   * chains of any length; on a runtime without `setImmediate`, 250 turns of the microtask queue. Sockets and files may take
   * longer: a test that uses them passes a function that waits for them.
   */
  readonly settle?: () => Promise<void>;
}

// Used to run the microtask queue empty, which the language has no other way to do. It reads no time.
declare const setImmediate: ((task: () => void) => unknown) | undefined;

interface Timer extends HeapMember {
  isSet: boolean;
  readonly wake: () => void;
}

const NEW_YEAR_2026 = epochMs(1_767_225_600_000);
/** Microtask turns that `settle` takes on a runtime without `setImmediate`. */
const SETTLE_TURNS = 250;
/** Timers fired by one `advance`, before it is taken for an endless loop. */
const MAX_FIRED = 10_000_000;

export function createManualClock(options: ManualClockOptions = {}): ManualClock {
  const settle = options.settle ?? defaultSettle();
  const timers: OrderedHeap<Timer> = createOrderedHeap();
  let wallAtZero: number = options.wall ?? NEW_YEAR_2026;
  let elapsedMs = 0;
  let sequence = 0;

  async function fireUntil(end: number): Promise<void> {
    for (let fired = 0; fired < MAX_FIRED; fired += 1) {
      const next = timers.first();
      if (next === undefined || next.at > end) return;
      elapsedMs = Math.max(elapsedMs, next.at);
      unset(timers, next);
      next.wake();
      await settle();
    }
    throw new Error("timers keep setting timers: advance does not come to an end");
  }

  return {
    wall: () => epochMs(Math.floor(wallAtZero + elapsedMs)),
    monotonic: () => monoMs(elapsedMs),
    after: (delayMs, wake): Cancel => {
      sequence += 1;
      const timer: Timer = { at: elapsedMs + Math.max(0, delayMs), sequence, place: 0, isSet: true, wake };
      timers.add(timer);
      return (): void => {
        unset(timers, timer);
      };
    },
    advance: async (ms): Promise<void> => {
      const end = elapsedMs + ms;
      await settle();
      await fireUntil(end);
      elapsedMs = end;
    },
    stepWall: (ms): void => {
      wallAtZero += ms;
    },
    settle,
    nextTimerAt: () => timers.first()?.at as MonoMs | undefined,
  };
}

function unset(timers: OrderedHeap<Timer>, timer: Timer): void {
  if (timer.isSet) timers.remove(timer);
  timer.isSet = false;
}

function defaultSettle(): () => Promise<void> {
  const takeTurn = typeof setImmediate === "function" ? setImmediate : undefined;
  if (takeTurn === undefined) return runMicrotasks;
  return () =>
    new Promise((resolve) => {
      takeTurn(resolve);
    });
}

async function runMicrotasks(): Promise<void> {
  for (let turn = 0; turn < SETTLE_TURNS; turn += 1) await Promise.resolve();
}
