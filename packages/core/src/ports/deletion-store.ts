// The part of a delivery store that knows users: suppressed users, and deletion requests with their progress. It shares
// commits with the deliveries, since a notice and the record of its storage must be stored together.

import type { DeletionRecord, Regulation } from "../deletion/deletion.js";
import type { DeletionId, EpochMs, SourceId } from "../ids.js";

/**
 * A request takes effect when it is stored. If it purges, the deliveries of its users that were stored before are out of reach
 * from then on: they are not claimed or replayed. A delivery out of reach becomes dead(`purged`) when it would be claimed,
 * when `end` ends it, or when it would be settled as anything but delivered. `purge` then removes the bodies. A request with
 * `sources` purges only messages of these sources and of audiences; one that suppresses purges those of all sources.
 */
export interface DeletionStore {
  /**
   * One durable commit: stores the request, suppresses its users or ends their suppression, and puts their deliveries out of
   * reach, as the regulation of the request says. Changes nothing if the id exists already.
   */
  open(deletion: NewDeletion, now: EpochMs): Promise<void>;
  /**
   * Examines up to `limit` deliveries that were stored before the request, and removes the data of its users: bodies, user
   * ids, and excerpts of receivers' answers. A waiting delivery becomes dead(`purged`), a dead delivery gets the reason
   * `purged`, and a delivered one stays delivered. A claimed delivery may finish its round: its body no longer counts in its
   * lane, no excerpt is stored, and it becomes dead(`purged`) unless the round delivers it. Delete messages stay. Repeat until
   * `isDone`, which is also true if the request is unknown or purges nothing. A slice with a `limit` of 0 examines nothing.
   */
  purge(
    slice: { readonly id: DeletionId; readonly limit: number },
    now: EpochMs,
  ): Promise<{ readonly isDone: boolean }>;
  /**
   * Finishes a request that is purged and notified: removes its user ids, and removes all deleted data from the store's
   * files. Returns false if another process has the files locked; call `finish` again later. Also returns false while an
   * earlier step is unfinished, and for an unknown request.
   */
  finish(id: DeletionId, now: EpochMs): Promise<boolean>;
  /** The record of a request. */
  find(id: DeletionId): Promise<DeletionRecord | undefined>;
  /** A page of requests, newest first. With `unfinished`, only requests that are not finished. */
  list(query: DeletionQuery): Promise<DeletionPage>;
  /**
   * Up to `limit` suppressed users that follow the user `after`, in an order that the store chooses and never changes. `after`
   * may be a user who is no longer suppressed. Fewer than `limit`: no others follow.
   */
  suppressed(query: { readonly after?: string; readonly limit: number }): Promise<readonly string[]>;
}

/** A deletion request that is to be stored. */
export interface NewDeletion {
  readonly id: DeletionId;
  readonly regulation: Regulation;
  /** Each user once, at most `MAX_DELETION_USERS`, none of them empty. */
  readonly userIds: readonly string[];
  /** Null: all sources. Empty: none, so that only audiences are purged. `DeletionStore` describes the effect of sources. */
  readonly sources: readonly SourceId[] | null;
}

/** The filter and the length of a list of deletion requests. */
export interface DeletionQuery {
  readonly unfinished?: boolean;
  /** The last request of the previous page. */
  readonly after?: DeletionId;
  readonly limit: number;
}

/** One page of a list of deletion requests. */
export interface DeletionPage {
  /** The requests of the page, with empty `userIds`. */
  readonly deletions: readonly DeletionRecord[];
  /** True if there may be a further page. */
  readonly more: boolean;
}

/**
 * The progress of a request's notices, part of the commit that stores them. It never decreases. The progress of an unknown
 * request is ignored.
 */
export interface NoticeProgress {
  readonly deletion: DeletionId;
  /** The number of the request's users whose notices are stored: at most all of them. */
  readonly users: number;
}
