// The queue that messages are put into by the rest of the relay: intake, deletions and syncs. Hides the parts that storing
// a message needs.

import type { AcceptResult } from "@postrider/core";
import type { Result } from "neverthrow";
import type { StoreFault } from "../storage/store-fault.js";
import type { WriteRequest } from "../storage/write-request.js";
import { enqueue } from "./enqueue.js";
import { enqueueLarge, type EnqueueLargeContext } from "./enqueue-large.js";
import type { Draft } from "./reserve.js";

export interface MessageQueue {
  /**
   * Stores messages in one commit with related writes; answers the outcome of each message, in the order of `drafts`.
   */
  enqueue(
    drafts: readonly Draft[],
    more?: Partial<Omit<WriteRequest, "accept">>,
  ): Promise<Result<readonly AcceptResult[], StoreFault>>;
  /** Stores one message with many deliveries, which are processed in slices; answers its outcome. */
  enqueueLarge(draft: Draft): Promise<Result<AcceptResult | undefined, StoreFault>>;
}

export function createMessageQueue(context: EnqueueLargeContext): MessageQueue {
  return {
    enqueue: (drafts, more) => enqueue(context, drafts, more),
    enqueueLarge: (draft) => enqueueLarge(context, draft),
  };
}
