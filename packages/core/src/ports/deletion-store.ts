// The part of a delivery store that knows users: suppressed users, and deletion requests with their progress. It shares
// commits with the deliveries, since a notice and the record that it was stored must not be separated.

import type { DeletionRecord } from "../deletion/deletion.js";
import type { Regulation } from "../deletion/regulation.js";
import type { DeletionId, EpochMs, SourceId } from "../ids.js";

/**
 * A request takes effect when it is stored. From then on, deliveries of its users that were stored before are out of reach:
 * they are not claimed or replayed. A delivery that would be claimed becomes dead(`purged`) instead, and so does one that
 * would be settled as anything but delivered. `purge` then removes the bodies.
 */
export interface DeletionStore {
  /**
   * One durable commit: stores the request, suppresses its users or ends that, and puts their data out of reach, as its
   * regulation says. Changes nothing if the id exists already.
   */
  open(deletion: NewDeletion, now: EpochMs): Promise<void>;
  /**
   * Examines up to `limit` deliveries that were stored before the request, and removes the data of its users: bodies, user
   * ids, and excerpts of receivers' answers. Waiting deliveries become dead(`purged`), and dead ones get that reason.
   * Delivered ones stay delivered. A claimed one may finish its round: its body no longer counts in its lane, no excerpt is
   * stored, and unless it is delivered it becomes dead(`purged`). Delete messages stay. Repeat until `isDone`, which is also
   * true for an unknown request and for one that purges nothing.
   */
  purge(
    slice: { readonly id: DeletionId; readonly limit: number },
    now: EpochMs,
  ): Promise<{ readonly isDone: boolean }>;
  /**
   * Finishes a request that is purged and notified: removes its user ids, and removes all deleted data from the store's
   * files. False if another process has the files locked: call it again later. Also false while a step is left to do, and for
   * an unknown request.
   */
  finish(id: DeletionId, now: EpochMs): Promise<boolean>;
  find(id: DeletionId): Promise<DeletionRecord | undefined>;
  /** Newest first. With `unfinished`, only requests that are not finished. */
  list(query: DeletionQuery): Promise<DeletionPage>;
  /** Suppressed users after `after`, in an order that the store chooses and never changes. */
  suppressed(query: { readonly after?: string; readonly limit: number }): Promise<readonly string[]>;
}

export interface NewDeletion {
  readonly id: DeletionId;
  readonly regulation: Regulation;
  /** Each user once. */
  readonly userIds: readonly string[];
  /** Null: all sources. */
  readonly sources: readonly SourceId[] | null;
}

export interface DeletionQuery {
  readonly unfinished?: boolean;
  /** The last request of the previous page. */
  readonly after?: DeletionId;
  readonly limit: number;
}

export interface DeletionPage {
  /** With empty `userIds`. */
  readonly deletions: readonly DeletionRecord[];
  readonly more: boolean;
}

/** The progress of a request's notices, part of the commit that stores them. It never decreases. */
export interface NoticeProgress {
  readonly deletion: DeletionId;
  /** For how many of its users the notices are stored. */
  readonly users: number;
}
