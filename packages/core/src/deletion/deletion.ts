// A deletion request: a request to delete users, to suppress users or to end their suppression. Its content, and the record
// of its progress. Data only; the effects of each kind of request are the table in regulation.ts.

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
  /** The number of the request. A store numbers its requests in ascending order, from 1. */
  readonly number: number;
  readonly regulation: Regulation;
  /** Null: all sources. */
  readonly sources: readonly SourceId[] | null;
  readonly requestedAt: EpochMs;
  /**
   * When the request was finished: every body was removed, every notice was stored, and removed data was gone from the store's
   * files. Absent: the request is unfinished.
   */
  readonly finishedAt?: EpochMs;
  /** The number of users that the request names. */
  readonly users: number;
  /** The users, in a fixed order; empty once the request is finished. */
  readonly userIds: readonly string[];
  /** The number of users whose notices are stored. The notices are stored in the order of `userIds`. */
  readonly notified: number;
  /** Whether all bodies that the request must remove have been removed. */
  readonly isPurged: boolean;
  /** The number of deliveries whose body was removed. */
  readonly purged: number;
  /** The counts of its notices, for each source that has notices. */
  readonly notices: readonly NoticeCounts[];
}

/** Counts of the deliveries of one request's notices for one source. `stored` counts all; unfinished ones are the rest. */
export interface NoticeCounts {
  readonly source: SourceId;
  readonly stored: number;
  readonly delivered: number;
  readonly dead: number;
}
