// Flushes a client together with the calls that wait in its storage.

import type { Client } from "../client.js";
import type { FlushReport } from "../create-call-tracker.js";
import type { Timers } from "../create-timers.js";
import type { Loader } from "./loader.js";

/** The time for which a flush waits for a storage that could not be read, in milliseconds. */
const READ_AGAIN_MS = 1_000;

interface FlushParts {
  readonly client: Client;
  readonly loader: Loader;
  readonly clock: Timers;
}

/** Flushes until every call that was left in the storage has ended, or until this time of the clock. */
export async function flushAll({ client, loader, clock }: FlushParts, until: number): Promise<FlushReport> {
  let [delivered, failed] = [0, 0];
  for (;;) {
    await clock.attend(loader.settled(), until - clock.monotonic());
    const isLast = !loader.isBehind();
    const flushed = await client.flush({ timeoutMs: Math.max(0, until - clock.monotonic()) });
    delivered += flushed.delivered;
    failed += flushed.failed;
    if (isLast || flushed.pending > 0 || clock.monotonic() >= until)
      return { delivered, failed, pending: flushed.pending };
    // Nothing could be read: the storage is tried again until the time is over.
    if (flushed.delivered + flushed.failed === 0) {
      await clock.attend(new Promise(() => undefined), Math.min(READ_AGAIN_MS, until - clock.monotonic()));
      loader.retry(true);
    }
  }
}
