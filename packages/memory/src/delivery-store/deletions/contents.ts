// The part of a memory disk that is about users: the suppressed users, and the requests to delete or suppress. `erasure.ts`
// decides which data a request covers.

import type { DeletionId, EpochMs, Regulation, SourceId } from "@postrider/core";

export interface DeletionContents {
  readonly suppressed: Set<string>;
  /** In the order in which they were stored. */
  readonly requests: Map<DeletionId, StoredDeletion>;
  /** Requests whose purge is not done yet. */
  readonly unpurged: Set<StoredDeletion>;
}

export interface StoredDeletion {
  readonly id: DeletionId;
  /** The place of the request in the order in which requests were stored, from 1. */
  readonly number: number;
  readonly regulation: Regulation;
  readonly sources: readonly SourceId[] | null;
  readonly requestedAt: EpochMs;
  /** How many users the request names. */
  readonly users: number;
  /**
   * The number of the last delivery that the request can cover: the last delivery that was stored before the request.
   */
  readonly upTo: number;
  readonly notices: Map<SourceId, MutableNoticeCounts>;
  /** The users of the request, in the order in which it names them; empty once the request is finished. */
  userIds: ReadonlySet<string>;
  /** The number of the last delivery that `purge` looked at; `purge` goes from the newest to the oldest. */
  lookedAt: number;
  purged: number;
  notified: number;
  finishedAt: EpochMs | undefined;
}

export interface MutableNoticeCounts {
  stored: number;
  delivered: number;
  dead: number;
}

export function emptyDeletionContents(): DeletionContents {
  return { suppressed: new Set(), requests: new Map(), unpurged: new Set() };
}
