// What the processes of a memory disk tell each other: who lives, and the rows of lanes. Plain mutable data.

import type { BoardRow, DestinationId, EpochMs, ProcessId } from "@postrider/core";

export interface BoardContents {
  readonly processes: Map<ProcessId, { readonly share: number; readonly seenAt: EpochMs }>;
  /** In the order of their changes, each with the number of its last change. */
  readonly rows: Map<DestinationId, { readonly row: BoardRow; readonly change: number }>;
  changes: number;
}

export function emptyBoard(): BoardContents {
  return { processes: new Map(), rows: new Map(), changes: 0 };
}
