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
  /** Its place in the order in which requests were stored, from 1. */
  readonly number: number;
  readonly regulation: Regulation;
  readonly sources: readonly SourceId[] | null;
  readonly requestedAt: EpochMs;
  /** How many users it names. */
  readonly users: number;
  /** The number of the last delivery that it can cover: the last one that was stored before it. */
  readonly upTo: number;
  readonly notices: Map<SourceId, MutableNoticeCounts>;
  /** Its users, in the order in which it names them; empty once it is finished. */
  userIds: ReadonlySet<string>;
  /** The number of the last delivery that `purge` looked at; it goes from the newest to the oldest. */
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
