// The delay of the event loop: the lateness of a timer that is due at fixed intervals. Keeps the latest half minute, so that one
// collector takes nothing from another.

import { type Cancel, type Clock, type MonoMs, monoMs } from "@postrider/core";
import { gauge, type ReadFamilies } from "./program-families.js";

const INTERVAL_MS = 20;
/** The number of delays in memory: those of 30 seconds. */
const MAX_DELAYS = 1_500;
const SHARE = 0.99;
const MS_PER_SECOND = 1_000;

export interface LoopDelay {
  readonly families: ReadFamilies;
  /** Ends the timer. */
  readonly stop: () => void;
}

/** Measures until it is stopped. */
export function createLoopDelay(clock: Pick<Clock, "monotonic" | "after">): LoopDelay {
  const delays = new Float64Array(MAX_DELAYS);
  let measuredCount = 0;
  let cancel: Cancel = startTimer();
  return { families: () => [p99Of(delays.subarray(0, Math.min(measuredCount, MAX_DELAYS)))], stop: () => cancel() };

  function startTimer(): Cancel {
    const dueAt = monoMs(clock.monotonic() + INTERVAL_MS);
    return clock.after(INTERVAL_MS, () => wake(dueAt));
  }

  function wake(dueAt: MonoMs): void {
    delays[measuredCount % MAX_DELAYS] = Math.max(0, clock.monotonic() - dueAt);
    measuredCount += 1;
    cancel = startTimer();
  }
}

function p99Of(delays: Float64Array) {
  const sorted = delays.slice().sort();
  const p99 = sorted[Math.ceil(sorted.length * SHARE) - 1];
  const facts = { name: "nodejs.eventloop.delay.p99", help: "How late timers are, of 30 seconds.", unit: "s" } as const;
  return gauge(facts, p99 === undefined ? undefined : p99 / MS_PER_SECOND);
}
