// What lies on a memory disk about users: who is suppressed, and the requests about them. Which data a request puts out
// of reach is in reach.ts.

import type { DeletionId, EpochMs, Regulation, SourceId } from "@postrider/core";

export interface DeletionContents {
  readonly suppressed: Set<string>;
  /** In the order in which they were kept. */
  readonly requests: Map<DeletionId, StoredDeletion>;
  /** Those of them whose users' data is not purged yet. */
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
  /** The last delivery that had been stored: none after it is touched. */
  readonly upTo: number;
  readonly notices: Map<SourceId, MutableNoticeCounts>;
  /** Whom it names, in its order; nobody once it is finished. */
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
