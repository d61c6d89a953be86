// What a store is asked about its memory of ids, and answers: what it has seen of late under one of them, whether or not
// it went anywhere (decision: what was seen).

import type { EpochMs, SourceId } from "../ids.js";

export interface SeenQuery {
  readonly messageId: string;
  /** Of this source alone; of all if absent. */
  readonly source?: SourceId;
}

export interface SeenMessage {
  readonly source: SourceId;
  /** The `now` of the commit that stored it. */
  readonly seenAt: EpochMs;
  /**
   * How many deliveries it was stored with, whatever became of them: 0 where it was filtered everywhere. Replays do not
   * count. Absent where the store does not know.
   */
  readonly deliveries?: number;
}
