// The fields of a delivery that the counters are kept by.

import type { DeletionId, DestinationId, SourceId } from "@postrider/core";

export interface Counted {
  readonly source: SourceId;
  readonly lane: DestinationId;
  /** Bytes of its body. */
  readonly size: number;
  /** The request of which its message is a notice. */
  readonly deletion?: DeletionId | undefined;
}
