// An audience, or a computed trait, as it is kept: what it is, and how far its syncs have come. Its key is fixed when it is
// created; snapshots are kept for each destination, so that one connected later gets a first sync of its own (spec, webhook
// destination §1; decision: audiences).

import type { DestinationId, EpochMs } from "../ids.js";

export interface AudienceDefinition {
  readonly name: string;
  /** A set of users, or a value for each of them. */
  readonly kind: "audience" | "trait";
  /** As an identify call with a trait, or as a track call. */
  readonly sendsAs: "identify" | "track";
  /** Who is told; integrations do not apply. */
  readonly destinations: readonly DestinationId[];
}

export interface AudienceRecord extends AudienceDefinition {
  /** The snake_case form of its name. */
  readonly key: string;
  /** What receivers know it by, beside its key. */
  readonly id: string;
  readonly createdAt: EpochMs;
  /** One more with each change of this record. */
  readonly revision: number;
  /** The number of the sync that began last; from 1. */
  readonly syncs: number;
  /** Null: none is under way. */
  readonly running: RunningSync | null;
  /** The sync that ended last. Null: none has. */
  readonly last: SyncReport | null;
  /** What each destination knows. One that is not here knows nothing. */
  readonly told: readonly ToldSnapshot[];
  /** The set of all members as of the last sync that was sent. Absent: none was, or an earlier version sent it. */
  readonly current?: string;
  /** All requests about users up to this number are carried out in its sets. Absent: 0. */
  readonly erased?: number;
}

/** What a destination knows of an audience. What it is told moves it on, so that a sync may end early or be taken up again. */
export interface ToldSnapshot {
  readonly destination: DestinationId;
  /** The sync that it has heard to the end; 0: none yet. */
  readonly sync: number;
  /** The members that it knows of, range after range. */
  readonly parts: readonly SnapshotPart[];
}

/** A range of a snapshot: the members of `set` beyond the part before, up to this user inclusively. Null: all that are left. */
export interface SnapshotPart {
  readonly set: string;
  readonly upTo: string | null;
}

/**
 * Collecting, its members come in, and with its process it is lost. Sending, all is kept, and anyone may go on with it once
 * whoever held it is not alive any more.
 */
export type RunningSync = SyncHolder &
  (
    | {
        readonly kind: "collecting";
        /** The number of the last request about users when it began: whom a later one names it must not bring back. Absent: 0. */
        readonly since?: number;
      }
    | ({
        readonly kind: "sending";
        /** The set of all members. */
        readonly set: string;
        readonly members: number;
        /** Who still has to hear of it. */
        readonly left: readonly DestinationId[];
      } & SyncCounts)
  );

/** Whose a sync is, for as long as it gives signs of life. */
export interface SyncHolder {
  /** Random, new for each process that takes it up. */
  readonly owner: string;
  readonly aliveAt: EpochMs;
}

/** How many users have changed since the sync before, each counted once, however many destinations are told. */
export interface SyncCounts {
  readonly entered: number;
  readonly departed: number;
  /** Values of a computed trait that are others than before. */
  readonly changed: number;
}

/** What came of a sync. */
export interface SyncReport extends SyncCounts {
  readonly sync: number;
  /** How many there are now, each counted once. */
  readonly members: number;
  readonly endedAt: EpochMs;
}
