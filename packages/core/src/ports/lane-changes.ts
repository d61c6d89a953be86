// The parts of a delivery store that serve its lanes: the rows of changed lanes, so that relays need not read all lanes at
// each poll (decision: changed lanes), and hints that wake the processes that deliver (decision: hints).

import type { DestinationId, EpochMs, LaneMark } from "../ids.js";

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

/** What a store holds for one lane. */
export interface LaneRow {
  readonly lane: DestinationId;
  /** Unfinished deliveries, claimed ones included, and the bytes of their bodies. */
  readonly deliveries: number;
  readonly bytes: number;
  /** When the first of these deliveries can be claimed. */
  readonly nextDueAt: EpochMs;
  /** The earliest `firstAttemptAt` of these deliveries; absent if none was tried. */
  readonly firstAttemptAt?: EpochMs;
}

/**
 * What processes tell each other besides what is stored. A hint may be lost, late, or repeated: then a delivery waits for the next
 * poll, or a claim finds nothing. Nothing depends on it.
 */
export interface Hints {
  /**
   * Tells the other processes that deliveries of these lanes can be claimed; without any, of any lane. Resolves once it is told, and
   * rejects if it is not. It costs the store something each time: callers gather.
   */
  tell(lanes: readonly DestinationId[]): Promise<void>;
  /** Calls `onTold` with what other processes tell from now on, as far as it arrives, until the returned function is called. */
  listen(onTold: (lanes: readonly DestinationId[]) => void): () => void;
}
