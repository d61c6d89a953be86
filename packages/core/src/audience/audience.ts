// The stored record of an audience or of a computed trait: its definition, and the progress of its syncs. There is one
// snapshot per destination, so that a destination connected later gets a full first sync (spec, webhook destination §1;
// decision: audiences). Stores keep the record unchanged; its keys are part of the stored format.

import type { DestinationId, EpochMs } from "../ids.js";
import type { LeaseHolder } from "../lease-holder.js";

/** What a host says of an audience or a computed trait when it creates it. */
export interface AudienceDefinition {
  readonly name: string;
  /** `audience`: a set of users. `trait`: a value for each user. */
  readonly kind: "audience" | "trait";
  /** Which kind of call reports a change; see `audienceCall`. */
  readonly sendsAs: "identify" | "track";
  /** The destinations that get the changes. Integrations do not apply. */
  readonly destinations: readonly DestinationId[];
}

/** An audience as it is stored: its definition, its key and id, and the numbers of its syncs. */
export interface AudienceRecord extends AudienceDefinition {
  /** The snake_case form of its name. */
  readonly key: string;
  /** The id that is sent to receivers as `context.personas.computation_id`. */
  readonly id: string;
  readonly createdAt: EpochMs;
  /** Increases by one with each change of this record. */
  readonly revision: number;
  /** The number of the latest sync that began, from 1; 0 before the first. */
  readonly syncs: number;
  /** Null: no sync is running. */
  readonly running: RunningSync | null;
  /** The report of the sync that ended last. Null: no sync has ended. */
  readonly last: SyncReport | null;
  /** What has been sent to each destination. A destination that is missing here has been sent nothing. */
  readonly told: readonly SentSnapshot[];
  /** The set of all members as of the last complete upload. Absent: no upload was completed. */
  readonly current?: string;
  /** All deletion requests up to this number have been carried out in the sets of this audience. Absent: 0. */
  readonly erased?: number;
}

/**
 * The members that a destination has been sent. The snapshot advances with the changes that are sent, so that a sync may stop
 * early or be resumed by another process.
 */
export interface SentSnapshot {
  readonly destination: DestinationId;
  /** The number of the latest sync that was sent to the destination completely; 0: no sync was. */
  readonly sync: number;
  /** Consecutive ranges of user ids, in ascending order. */
  readonly parts: readonly SnapshotRange[];
}

/**
 * A range of a snapshot: the members of `set` that follow the end of the previous range, up to and including `upTo`. Null: up
 * to the end of the set.
 */
export interface SnapshotRange {
  readonly set: string;
  readonly upTo: string | null;
}

/**
 * A sync that is running. `collecting`: members are being uploaded; if the process ends, the upload is lost. `sending`: all
 * members are stored, and another process may resume the sync once the lease of its owner has run out.
 */
export type RunningSync = LeaseHolder &
  (
    | {
        readonly kind: "collecting";
        /**
         * The number of the last deletion request when the sync began, or 0. The sync must not restore users of a later request.
         */
        readonly since: number;
      }
    | ({
        readonly kind: "sending";
        /** The name of the set of all members. */
        readonly set: string;
        readonly members: number;
        /** The destinations to which this sync still has to be sent, in whole or in part. */
        readonly left: readonly DestinationId[];
      } & SyncCounts)
  );

/** How many users have changed since the previous sync. Each user counts once, regardless of the number of destinations. */
export interface SyncCounts {
  readonly entered: number;
  readonly departed: number;
  /** Users whose value of a computed trait differs from the previous one. */
  readonly changed: number;
}

/** The result of a sync. */
export interface SyncReport extends SyncCounts {
  readonly sync: number;
  /** How many members the audience has after the sync. */
  readonly members: number;
  readonly endedAt: EpochMs;
}
