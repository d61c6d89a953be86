// The part of a delivery store that tells which lanes have changed, so that relays need not read all lanes at each poll (decision:
// changed lanes).

import type { DestinationId, LaneMark } from "../ids.js";
import type { LaneRow } from "./lane-row.js";

/**
 * The changes of lanes, in the order in which they were made. A lane has changed if `DeliveryStore.lanes` answers otherwise
 * than before. That a due time has come or a lease has ended is no change: its instant was told before.
 */
export interface LaneChanges {
  /**
   * Up to `limit` lanes that have changed after the mark, each once, as it is now. Every change is told that was answered before
   * this method was called; a lane may be told again although it has not changed. Without a mark: no lane, and the mark of now.
   * `undefined` if the store does not know any more what has changed after this mark: a reader then reads all lanes.
   */
  read(query: { readonly after?: LaneMark; readonly limit: number }): Promise<ChangedLanes | undefined>;
}

/** A page of changed lanes. */
export interface ChangedLanes {
  readonly lanes: readonly LaneRow[];
  /** The changed lanes without unfinished deliveries. */
  readonly emptied: readonly DestinationId[];
  /** Where the changes begin that this page does not tell. */
  readonly mark: LaneMark;
  /** Whether there may be a further page. */
  readonly more: boolean;
}
