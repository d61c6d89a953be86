// What the books of a store must know of a delivery.

import type { DeletionId, DestinationId, SourceId } from "@postrider/core";

export interface Counted {
  readonly source: SourceId;
  readonly lane: DestinationId;
  /** Bytes of its body. */
  readonly size: number;
  /** The request that its message is a notice of. */
  readonly deletion?: DeletionId | undefined;
}
