// The port of a client's durable queue: where calls are kept until they have come to their end (decision: durable queues
// of the client). What a call holds is not known here.

import type { CallKind } from "../call/call.js";

/** A call that has not come to its end. Its messageId names it. */
export interface KeptCall {
  readonly messageId: string;
  readonly type: CallKind;
  /** The call as JSON text. */
  readonly json: string;
}

/** Rejects with a `StoreError`. */
export interface CallStorage {
  /** All that is kept, oldest first. */
  load(): Promise<readonly KeptCall[]>;
  /**
   * Keeps some and drops others, all or nothing; resolves once that would survive a power cut. A call whose messageId is
   * kept already takes the place of that one. Names that are not kept are dropped without complaint, and no name is in
   * both lists. Rejects as `full` where more would be kept than there is room for. Never called while another change is
   * under way.
   */
  change(change: CallChange): Promise<void>;
}

export interface CallChange {
  readonly keep: readonly KeptCall[];
  /** messageIds. */
  readonly drop: readonly string[];
}
