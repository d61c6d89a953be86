// Flushes a client together with what waits in its storage. Must not know the storage.

import type { Cancel, Clock } from "@postrider/core";
import type { Client } from "../client.js";
import type { FlushReport } from "../create-call-tracker.js";
import type { Loader } from "./create-loader.js";

interface Flushed {
  readonly client: Client;
  readonly loader: Loader;
  readonly clock: Clock;
}

/** Flushes until every call that was left in the storage has ended, or the time is over. */
export async function flushAll({ client, loader, clock }: Flushed, timeoutMs: number): Promise<FlushReport> {
  const until = clock.monotonic() + timeoutMs;
  let [delivered, failed] = [0, 0];
  for (;;) {
    await endsBy(until, loader.settled(), clock);
    const isLast = !loader.isBehind();
    const flushed = await client.flush({ timeoutMs: Math.max(0, until - clock.monotonic()) });
    delivered += flushed.delivered;
    failed += flushed.failed;
    const isIdle = flushed.delivered + flushed.failed === 0;
    if (isLast || isIdle || flushed.pending > 0) return { delivered, failed, pending: flushed.pending };
  }
}

/** Resolves with the work, or at this time. */
async function endsBy(until: number, work: Promise<void>, clock: Clock): Promise<void> {
  let cancel: Cancel = () => undefined;
  const isOver = new Promise<void>((resolve) => {
    cancel = clock.after(Math.max(0, until - clock.monotonic()), resolve);
  });
  await Promise.race([work, isOver]);
  cancel();
}
