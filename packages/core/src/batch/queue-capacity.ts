// Decides whether another call fits into the client's queue. All unfinished calls count: those not yet sent, those in
// flight, and those that wait for a retry.

import { MAX_CALL_BYTES } from "../limits.js";

/** A number of calls, and the UTF-8 bytes of their JSON texts: the capacity of the queue, or how much of it is in use. */
export interface QueueCapacity {
  readonly calls: number;
  readonly bytes: number;
}

/** True if one more call of `bytes` bytes fits; equal is allowed. By default, `bytes` is the size of the largest possible call. */
export function fitsCapacity(used: QueueCapacity, capacity: QueueCapacity, bytes: number = MAX_CALL_BYTES): boolean {
  return used.calls < capacity.calls && used.bytes + bytes <= capacity.bytes;
}
