// A deletion request deletes users, suppresses them or ends their suppression: its content, the effects of each kind, the
// record of its progress, and its next step, which depends on the record alone, so that any process can resume it (decision:
// deletion).

import type { DeletionId, EpochMs, SourceId } from "../ids.js";

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
   * The instant at which the request was finished: every body was removed, every notice was stored, and removed data was gone from the
   * store's files. Absent: the request is unfinished.
   */
  readonly finishedAt?: EpochMs;
  /** The number of users that the request names. */
  readonly users: number;
  /** The users, in a fixed order; empty once the request is finished. */
  readonly userIds: readonly string[];
  /** The number of users whose notices are stored. The notices are stored in the order of `userIds`. */
  readonly notified: number;
  /** True if all bodies that the request must remove have been removed. */
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

/** The kinds of deletion requests, with the names that the public service's API uses. */
export const REGULATIONS = ["delete-only", "suppress-with-delete", "suppress-only", "unsuppress"] as const;

/** A kind of deletion request. `effectsOf` returns the effects of each. */
export type Regulation = (typeof REGULATIONS)[number];

/** The effects of a deletion request on further calls, on stored data, and at receivers. */
interface RegulationEffects {
  /** `begins`: further calls about these users are suppressed. `ends`: such calls are accepted again. Null: no change. */
  readonly suppression: "begins" | "ends" | null;
  /** True if stored data about these users is removed. */
  readonly purges: boolean;
  /** True if receivers get a notice to delete these users. */
  readonly notifies: boolean;
}

const EFFECTS: Readonly<Record<Regulation, RegulationEffects>> = {
  "delete-only": { suppression: null, purges: true, notifies: true },
  "suppress-with-delete": { suppression: "begins", purges: true, notifies: true },
  "suppress-only": { suppression: "begins", purges: true, notifies: false },
  unsuppress: { suppression: "ends", purges: false, notifies: false },
};

/** The effects of a kind of request. */
export function effectsOf(regulation: Regulation): RegulationEffects {
  return EFFECTS[regulation];
}

/** `purge` removes bodies, `notify` stores the notices, `finish` ends the request. `none`: the request is finished. */
export type DeletionStep = "purge" | "notify" | "finish" | "none";

/** The fields of a record that the decision needs. */
type DeletionProgress = Pick<DeletionRecord, "finishedAt" | "regulation" | "isPurged" | "notified" | "users">;

/** The next step. Purging comes first: a retry of an old message after the notice would create the user again. */
export function nextStep(record: DeletionProgress): DeletionStep {
  if (record.finishedAt !== undefined) return "none";
  const { purges, notifies } = effectsOf(record.regulation);
  if (purges && !record.isPurged) return "purge";
  return notifies && record.notified < record.users ? "notify" : "finish";
}
