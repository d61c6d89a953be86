// Loaded before a Postrider server: measures how late its event loop is, once it has started and is warm, and writes the
// result to the file LOOP_DELAYS when the server ends.

import { writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

/** The time for starting, and for the first calls on code that is not compiled yet. */
const WARM_AFTER_MS = 2_000;
/** How often the loop is measured; the time beyond that is the delay. */
const RESOLUTION_MS = 1;

if (isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  setTimeout(() => delays.reset(), WARM_AFTER_MS).unref();
  process.once("exit", () => {
    const late = (nanoseconds) => Math.max(0, nanoseconds / 1_000_000 - RESOLUTION_MS);
    const found = { p99: late(delays.percentile(99)), max: late(delays.max) };
    writeFileSync(process.env.LOOP_DELAYS, JSON.stringify(found));
  });
}
