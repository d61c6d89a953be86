// Loaded before a server of ours: measures how late its event loop is, once it has started and is warm, and leaves what it
// found in the file LOOP_DELAYS names when the server ends.

import { writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

/** What starting takes, and the first calls on code that is not compiled yet. */
const WARM_AFTER_MS = 2_000;
/** How often the loop is asked; what it takes beyond that is the delay. */
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
