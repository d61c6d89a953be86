// The part of a memory disk that is about users: the suppressed ones, and the requests. `erasure.ts` decides which data
// a request covers.

import type { DeletionId, EpochMs, Regulation, SourceId } from "@postrider/core";

export interface DeletionContents {
  readonly suppressed: Set<string>;
  /** In the order in which they were stored. */
  readonly requests: Map<DeletionId, StoredDeletion>;
  /** Requests that are not purged yet. */
  readonly unpurged: Set<StoredDeletion>;
}

export interface StoredDeletion {
  readonly id: DeletionId;
  /** Its place in that order, from 1. */
  readonly number: number;
  readonly regulation: Regulation;
  readonly sources: readonly SourceId[] | null;
  readonly requestedAt: EpochMs;
  /** How many users it names. */
  readonly users: number;
  /** The last delivery that it covers: the last one stored before it. */
  readonly upTo: number;
  readonly notices: Map<SourceId, MutableNoticeCounts>;
  /** Its users, in its order; empty once it is finished. */
  userIds: ReadonlySet<string>;
  /** The last delivery that `purge` looked at; it goes from the newest to the oldest. */
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
