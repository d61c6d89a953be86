// The default settings of a client. `flushAt` and `flushAfterMs` are those of the specification (client library §2.1).

import type { BatchSettings } from "./batch-settings.js";

/** Times in milliseconds. Ten retries cover about four minutes in which the server is unavailable. */
export const DEFAULT_BATCH_SETTINGS: Omit<BatchSettings, "url"> = {
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
