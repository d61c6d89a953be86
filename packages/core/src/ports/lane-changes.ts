// The parts of a delivery store that serve its lanes: the rows of changed lanes, so that relays need not read all lanes at
// each poll (decision: changed lanes), and hints that wake the processes that deliver (decision: hints).

import type { DestinationId, EpochMs, LaneMark } from "../ids.js";

/**
 * The changes of lanes, in the order in which they were made. A lane has changed if `DeliveryStore.lanes` answers otherwise
 * than before. A due time that has come and a lease that has ended are no changes: readers know these instants.
 */
export interface LaneChanges {
  /**
   * Up to `limit` lanes that have changed after the mark, each once, with its current state. The page has every change that was
   * answered before this call; it may have a lane again that has not changed. Without a mark: no lane, and the current mark.
   * `undefined` if the store no longer knows the changes after this mark: a reader then reads all lanes.
   */
  read(query: { readonly after?: LaneMark; readonly limit: number }): Promise<ChangedLanes | undefined>;
}

/** A page of changed lanes. */
export interface ChangedLanes {
  readonly lanes: readonly LaneRow[];
  /** The changed lanes without unfinished deliveries. */
  readonly emptied: readonly DestinationId[];
  /** The mark after the changes of this page. */
  readonly mark: LaneMark;
  /** True if a further page may follow. */
  readonly more: boolean;
}

/** The unfinished deliveries of one lane in a store. */
export interface LaneRow {
  readonly lane: DestinationId;
  /** Unfinished deliveries, claimed ones included, and the bytes of their bodies. */
  readonly deliveries: number;
  readonly bytes: number;
  /** The instant at which the first of these deliveries can be claimed. */
  readonly nextDueAt: EpochMs;
  /** The earliest `firstAttemptAt` of these deliveries; absent if none was tried. */
  readonly firstAttemptAt?: EpochMs;
}

/**
 * Hints between the processes of a store. A hint may be lost, late or repeated: then a delivery waits for the next poll, or a claim is
 * empty. Correctness does not depend on hints.
 */
export interface Hints {
  /**
   * Tells the other processes that deliveries of these lanes can be claimed; an empty list means any lane. Resolves once the hint is
   * sent, and rejects otherwise. Each hint costs the store something, so callers gather lanes. A store may tell a list that is too long for
   * it as an empty one.
   */
  tell(lanes: readonly DestinationId[]): Promise<void>;
  /**
   * Calls `onHint`, which does not throw, with the lanes of each hint that arrives from another process, until the returned function is
   * called or the store is closed. Hints that this process tells may arrive too. Calling the returned function again changes nothing. On a
   * closed store, `listen` hears nothing.
   */
  listen(onHint: (lanes: readonly DestinationId[]) => void): () => void;
}
