// The settings of a client, once its options are checked and defaults are filled in. Data only.

import type { FlushPolicy } from "./next-flush.js";
import type { BatchRetryPolicy } from "./retry-batch.js";
import type { QueueCapacity } from "./queue-capacity.js";

/** Settings in force, with a value for each option. Times in milliseconds; see `BatchOptions` for each of them. */
export interface BatchSettings extends FlushPolicy, BatchRetryPolicy {
  /** The whole URL of the batch request. */
  readonly url: string;
  readonly timeoutMs: number;
  readonly maxQueued: QueueCapacity;
  readonly maxInFlight: number;
  readonly closeTimeoutMs: number;
  readonly whenFull: "refuse" | "wait";
}
