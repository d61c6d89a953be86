// What a client does unless its host says otherwise (spec, client library §2.1 for the first two).

import type { BatchSettings } from "./batch-settings.js";

/** Times in milliseconds. Ten retries are about four minutes of a server that is away. */
export const DEFAULT_CLIENT: Omit<BatchSettings, "url"> = {
  flushAt: 20,
  flushAfterMs: 5_000,
  timeoutMs: 10_000,
  maxRetries: 10,
  firstRetryMs: 500,
  maxRetryMs: 60_000,
  maxQueued: { calls: 10_000, bytes: 33_554_432 },
  maxInFlight: 4,
  closeTimeoutMs: 60_000,
  whenFull: "refuse",
};
