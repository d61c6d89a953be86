// A clock that moves only on request. Timers fire in order, each at its time, and the promises that a timer starts
// settle before the next timer fires. So hours of waiting take milliseconds, and every run is the same.

import { type Cancel, type Clock, type EpochMs, epochMs, type MonoMs, monoMs } from "@postrider/core";
import { createOrderedHeap, type OrderedHeap, type HeapMember } from "./ordered-heap.js";

/** A clock for tests that stands still until it is advanced. */
export interface ManualClock extends Clock {
  /**
   * Moves the wall clock and the monotonic clock forward by `ms`, and fires the timers that become due, in order. Await
   * each call before the next. Rejects if timers set further timers without end.
   */
  advance(ms: number): Promise<void>;
  /** Steps the wall clock alone, forward or back; timers follow the monotonic clock. */
  stepWall(ms: number): void;
  /** Waits until the promises under way are settled, without moving the clock. */
  settle(): Promise<void>;
  /** The instant at which the next timer fires; undefined if no timer is set. */
  nextTimerAt(): MonoMs | undefined;
}

/** The options of `createManualClock`. */
export interface ManualClockOptions {
  /** The time at which the wall clock starts; 2026-01-01T00:00:00Z if absent. */
  readonly wall?: EpochMs;
  /**
   * Waits until the promises under way are settled. If absent, waits for one turn of the event loop, in which promise
   * chains of any length settle; on a runtime without `setImmediate`, waits for 250 turns of the microtask queue.
   * Sockets and files may take longer: a test that uses them passes a function that waits for them.
   */
  readonly settle?: () => Promise<void>;
}

// Used to wait until the microtask queue is empty, for which the language has no other means. `setImmediate` reads no
// clock.
declare const setImmediate: ((task: () => void) => unknown) | undefined;

interface Timer extends HeapMember {
  isSet: boolean;
  readonly wake: () => void;
}

const NEW_YEAR_2026 = epochMs(1_767_225_600_000);
/** Microtask turns for which `settle` waits on a runtime without `setImmediate`. */
const SETTLE_TURNS = 250;
/** After an `advance` has fired this number of timers, it rejects, because the timers seem to have no end. */
const MAX_FIRED = 10_000_000;

/** Creates a clock that moves only when the test advances it, and then fires the timers that became due. */
export function createManualClock(options: ManualClockOptions = {}): ManualClock {
  const settle = options.settle ?? defaultSettle();
  const timers: OrderedHeap<Timer> = createOrderedHeap();
  let wallAtZero: number = options.wall ?? NEW_YEAR_2026;
  let elapsedMs = 0;
  let sequence = 0;

  async function fireUntil(end: number): Promise<void> {
    for (let fired = 0; fired < MAX_FIRED; fired += 1) {
      const timer = timers.first();
      if (timer === undefined || timer.at > end) return;
      elapsedMs = Math.max(elapsedMs, timer.at);
      unset(timers, timer);
      timer.wake();
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
