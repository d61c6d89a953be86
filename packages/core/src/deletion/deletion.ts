// A request to delete or suppress users: its content, and the record of its progress. Data only; the effects of each kind of
// request are the table in regulation.ts.

import type { DeletionId, EpochMs, SourceId } from "../ids.js";
import type { Regulation } from "./regulation.js";

/** A deletion request as the host makes it. */
export interface DeletionRequest {
  /** 1 to 5,000 user ids; repeated ids count once. */
  readonly userIds: readonly string[];
  readonly regulation: Regulation;
  /** The sources whose data is deleted; all if absent. A suppression always applies to all sources. */
  readonly sources?: readonly SourceId[];
}

/** A request and its progress, as stored. */
export interface DeletionRecord {
  readonly id: DeletionId;
  /** Requests of a store are numbered in ascending order, from 1. */
  readonly number: number;
  readonly regulation: Regulation;
  /** Null: all sources. */
  readonly sources: readonly SourceId[] | null;
  readonly requestedAt: EpochMs;
  /** When it was finished: every body removed, every notice stored, and removed data gone from the store's files. */
  readonly finishedAt?: EpochMs;
  /** How many users it names. */
  readonly users: number;
  /** The users, in a fixed order; empty once the request is finished. */
  readonly userIds: readonly string[];
  /** For how many of the users, in that order, the notices are stored. */
  readonly notified: number;
  /** Whether all bodies of its users have been removed. */
  readonly isPurged: boolean;
  /** The number of deliveries whose body was removed. */
  readonly purged: number;
  /** The states of its notices, for each source that has any. */
  readonly notices: readonly NoticeCounts[];
}

/** The deliveries of the notices of one request for one source, counted. The rest of `stored` is unfinished. */
export interface NoticeCounts {
  readonly source: SourceId;
  readonly stored: number;
  readonly delivered: number;
  readonly dead: number;
}
