// What a client goes by, once its options are checked and what was left out is filled in.

import type { FlushPolicy } from "./flush-at.js";
import type { BatchRetryPolicy } from "./retry-batch.js";
import type { Room } from "./room.js";

/** Settings in force: nothing left out. */
export interface BatchSettings extends FlushPolicy, BatchRetryPolicy {
  /** The whole URL of the batch request. */
  readonly url: string;
  readonly timeoutMs: number;
  readonly maxQueued: Room;
  readonly maxInFlight: number;
  readonly closeTimeoutMs: number;
  readonly whenFull: "refuse" | "wait";
}
