// The settings of a client once its options are checked, their defaults, of which `flushAt` and `flushAfterMs` are those of
// the specification (client library §2.1), and the decision whether another call fits into the queue.

import type { FlushPolicy } from "./next-flush.js";
import type { BatchRetryPolicy } from "./retry-batch.js";
import { MAX_CALL_BYTES } from "../limits.js";

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

/** A number of calls, and the UTF-8 bytes of their JSON texts: the capacity of the queue, or how much of it is in use. */
export interface QueueCapacity {
  readonly calls: number;
  readonly bytes: number;
}

/** Whether one more call of `bytes` bytes fits; equal is allowed. By default, whether the largest possible call fits. */
export function fitsCapacity(used: QueueCapacity, capacity: QueueCapacity, bytes: number = MAX_CALL_BYTES): boolean {
  return used.calls < capacity.calls && used.bytes + bytes <= capacity.bytes;
}
