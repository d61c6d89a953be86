// The settings of a client, once its options are checked and defaults are filled in. Data only.

import type { FlushPolicy } from "./flush-at.js";
import type { BatchRetryPolicy } from "./retry-batch.js";
import type { Room } from "./room.js";

/** Settings in force, with a value for each option. Times in milliseconds; see `BatchOptions` for each of them. */
export interface BatchSettings extends FlushPolicy, BatchRetryPolicy {
  /** The whole URL of the batch request. */
  readonly url: string;
  readonly timeoutMs: number;
  readonly maxQueued: Room;
  readonly maxInFlight: number;
  readonly closeTimeoutMs: number;
  readonly whenFull: "refuse" | "wait";
}
