// The fields of a delivery by which it is counted.

import type { DeletionId, DestinationId, SourceId } from "@postrider/core";

export interface CountedFields {
  readonly source: SourceId;
  readonly lane: DestinationId;
  /** Bytes of its body. */
  readonly size: number;
  /** The deletion request, if its message is a notice. */
  readonly deletion?: DeletionId | undefined;
}
