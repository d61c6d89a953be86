// What the processes of a memory disk tell each other: who lives, and the rows of lanes. Plain mutable data.

import type { BoardRow, DestinationId, EpochMs, ProcessId } from "@postrider/core";
import { type ChangeLog, createChangeLog } from "./change-log.js";

export interface BoardContents {
  readonly processes: Map<ProcessId, { readonly share: number; readonly seenAt: EpochMs }>;
  readonly rows: Map<DestinationId, BoardRow>;
  /** Forgets nothing: a row is never removed, and their number has a bound. */
  readonly changes: ChangeLog;
}

export function emptyBoard(): BoardContents {
  return { processes: new Map(), rows: new Map(), changes: createChangeLog(Infinity) };
}
