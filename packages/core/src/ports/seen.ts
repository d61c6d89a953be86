// The query and the answer of `DeliveryStore.seen`: the accepted messages that a store remembers under a messageId, filtered
// ones included (decision: seen message ids). Data only.

import type { EpochMs, SourceId } from "../ids.js";

/** The messageId to look up. */
export interface SeenQuery {
  readonly messageId: string;
  /** Only this source; all sources if absent. */
  readonly source?: SourceId;
}

/** A store's record of a messageId that was accepted within 24 hours. */
export interface SeenMessage {
  readonly source: SourceId;
  /** The `now` of the commit that stored the message. */
  readonly seenAt: EpochMs;
  /**
   * The number of deliveries that were stored with the message, regardless of their present state: 0 if the message was filtered for all
   * destinations. Replays do not count.
   */
  readonly deliveries: number;
}
