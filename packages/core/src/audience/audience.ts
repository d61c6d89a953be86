// The stored record of an audience or of a computed trait: its definition, the progress of its syncs, and a snapshot of the
// members that each destination has been sent, so that one connected later gets a full first sync (spec, webhook
// destination §1; decision: audiences). Stores keep the record unchanged; its keys are part of the stored format.

import { type DestinationId, type EpochMs, type SourceId, sourceId } from "../ids.js";
import type { LeaseHolder } from "../delivery/lease.js";

/** The definition of an audience or a computed trait, as its host creates it. */
export interface AudienceDefinition {
  readonly name: string;
  /** `audience`: a set of users. `trait`: a value for each user. */
  readonly kind: "audience" | "trait";
  /** The kind of call that reports a change; see `audienceCall`. */
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
  /** The list that was sent to each destination. A destination that is missing here has been sent nothing. */
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

/** The number of users that have changed since the previous sync. Each user counts once, regardless of the number of destinations. */
export interface SyncCounts {
  readonly entered: number;
  readonly departed: number;
  /** Users whose value of a computed trait differs from the previous one. */
  readonly changed: number;
}

/** The result of a sync. */
export interface SyncReport extends SyncCounts {
  readonly sync: number;
  /** The number of members after the sync. */
  readonly members: number;
  readonly endedAt: EpochMs;
}

/** The snapshot after all changes of `set` up to and including the user `upTo` have been sent; null: to the end. */
export function advanceSnapshot(
  parts: readonly SnapshotRange[],
  set: string,
  upTo: string | null,
): readonly SnapshotRange[] {
  return [{ set, upTo }, ...parts.filter((part) => reachesBeyond(part, upTo))];
}

/** The range of `set` that has been sent to a destination; null if nothing of it has been sent. */
export function sentRange(parts: readonly SnapshotRange[], set: string): SnapshotRange | null {
  const [first] = parts;
  return first?.set === set ? first : null;
}

/** The range that holds the members after a user; without `after`, the first range. Undefined if there is no such range. */
export function rangeAfter(parts: readonly SnapshotRange[], after: string | undefined): SnapshotRange | undefined {
  return parts.find(({ upTo }) => upTo === null || after === undefined || upTo > after);
}

/** True if a range reaches further than this user; null is the end of the list. */
function reachesBeyond({ upTo }: SnapshotRange, user: string | null): boolean {
  return user !== null && (upTo === null || upTo > user);
}

const PREFIX = "audience/";

/** The source of the audience with this key. */
export function audienceSource(key: string): SourceId {
  return sourceId(`${PREFIX}${key}`);
}

/** True if a source belongs to an audience rather than to the settings. */
export function isAudienceSource(source: SourceId): boolean {
  return source.startsWith(PREFIX);
}
