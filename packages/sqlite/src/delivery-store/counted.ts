// The fields by which a delivery is counted.

import type { DeletionId, DestinationId, SourceId } from "@postrider/core";

export interface CountedFields {
  readonly source: SourceId;
  readonly lane: DestinationId;
  /** Bytes of the delivery's body. */
  readonly size: number;
  /** The deletion request, if the delivery's message is a notice. */
  readonly deletion?: DeletionId | undefined;
}
