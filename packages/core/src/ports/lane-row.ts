// What a store tells of one lane.

import type { DestinationId, EpochMs } from "../ids.js";

/** What a store holds for one lane. */
export interface LaneRow {
  readonly lane: DestinationId;
  /** Unfinished deliveries, claimed ones included, and the bytes of their bodies. */
  readonly deliveries: number;
  readonly bytes: number;
  /** When the first of these deliveries can be claimed. */
  readonly nextDueAt: EpochMs;
  /** The earliest `firstAttemptAt` of these deliveries; absent if none was tried. */
  readonly firstAttemptAt?: EpochMs;
}
