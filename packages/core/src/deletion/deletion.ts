// A request to delete users, or to block them: what it asks for, and what is known of it while it is carried out.
// Which kind of request does what is the table in regulation.ts.

import type { DeletionId, EpochMs, SourceId } from "../ids.js";
import type { Regulation } from "./regulation.js";

/** Whom a request is about, and what is asked. */
export interface DeletionRequest {
  /** 1 to 5,000; repeats count once. */
  readonly userIds: readonly string[];
  readonly regulation: Regulation;
  /** Whose data is deleted; that of all sources if absent. A suppression is always for all of them. */
  readonly sources?: readonly SourceId[];
}

/** A request as it stands. */
export interface DeletionRecord {
  readonly id: DeletionId;
  /** Its place among all requests of the store, from 1: each new one has a number beyond those of all before. */
  readonly number: number;
  readonly regulation: Regulation;
  /** Null: all of them. */
  readonly sources: readonly SourceId[] | null;
  readonly requestedAt: EpochMs;
  /** Once every body is gone, every notice is stored, and the log of the store holds neither. */
  readonly finishedAt?: EpochMs;
  /** How many users it names. */
  readonly users: number;
  /** Whom it names, in a fixed order; forgotten once it is finished. */
  readonly userIds: readonly string[];
  /** How many of them have their notices stored, in that order. */
  readonly notified: number;
  /** Whether no body of theirs is left. */
  readonly isPurged: boolean;
  /** Deliveries whose body it has removed. */
  readonly purged: number;
  /** What became of its notices, for each source that has any. */
  readonly notices: readonly NoticeCounts[];
}

/** Delete messages of one request from one source, as deliveries: `stored = open + delivered + dead`. */
export interface NoticeCounts {
  readonly source: SourceId;
  readonly stored: number;
  readonly delivered: number;
  readonly dead: number;
}
