// Decides whether another call fits into the client's queue. The queue counts all unfinished calls: waiting, in flight, and
// waiting for a retry.

import { MAX_CALL_BYTES } from "../limits.js";

/** A number of calls, and the UTF-8 bytes of their JSON texts: the capacity of the queue, or how much of it is in use. */
export interface QueueCapacity {
  readonly calls: number;
  readonly bytes: number;
}

/** Whether one more call of `bytes` bytes fits; equal is allowed. By default, whether the largest possible call fits. */
export function fitsCapacity(held: QueueCapacity, most: QueueCapacity, bytes: number = MAX_CALL_BYTES): boolean {
  return held.calls < most.calls && held.bytes + bytes <= most.bytes;
}
