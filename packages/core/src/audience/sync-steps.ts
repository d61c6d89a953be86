// The steps of a sync, as changes of the record of its audience (decision: audiences). A process stores the record before it
// takes the next step, so that another process can resume the sync. `running` goes null -> collecting -> sending -> null; a
// sync whose process ends while it is collecting goes back to null.

import type { DestinationId, EpochMs } from "../ids.js";
import { type LeaseHolder, withoutLease } from "../delivery/lease.js";
import {
  type AudienceRecord,
  type RunningSync,
  type SyncCounts,
  type SentSnapshot,
  advanceSnapshot,
} from "./audience.js";
import { erasedUpTo } from "./erasure.js";

/** Begins the upload of the members. `since` is the number of the last deletion request when the host asked for the sync. */
export function beginSync(record: AudienceRecord, holder: LeaseHolder, since: number): AudienceRecord {
  return { ...record, syncs: record.syncs + 1, running: { kind: "collecting", ...holder, since } };
}

/** A complete upload: a set of all members, from which the users of all deletion requests up to `erased` are removed. */
export interface CollectedSet extends SyncCounts {
  readonly set: string;
  readonly members: number;
  readonly erased: number;
  readonly left: readonly DestinationId[];
}

/**
 * Ends the upload, which is complete, and begins the sending to the destinations in `left`. Returns the record unchanged if
 * `erased` is not the number up to which requests were carried out in the record's sets: the new set would restore deleted
 * users, or lack users that were uploaded again later.
 */
export function startSending(record: AudienceRecord, { erased, ...sending }: CollectedSet): AudienceRecord {
  const { running } = record;
  if (running === null || erased !== erasedUpTo(record)) return record;
  const { owner, aliveAt } = running;
  return { ...record, current: sending.set, running: { kind: "sending", owner, aliveAt, ...sending } };
}

/** The changes that have been sent to some destinations. */
interface SentChanges {
  readonly destinations: readonly DestinationId[];
  /** All changes up to this user; null: to the end. */
  readonly upTo: string | null;
  /** The number up to which deletion requests had been carried out in the sets when they were compared. */
  readonly asOf: number;
}

/**
 * Advances the snapshots of some destinations; with `upTo: null` the sync is complete for them. Returns the record unchanged
 * if a deletion request was carried out after the sets were compared, since `upTo` may be a user of that request.
 */
export function advanceSync(record: AudienceRecord, { destinations, upTo, asOf }: SentChanges): AudienceRecord {
  const { running, syncs } = record;
  if (running?.kind !== "sending" || asOf !== erasedUpTo(record)) return record;
  const { set, left } = running;
  const snapshots = destinations.map((destination): SentSnapshot => {
    const { sync, parts } = snapshotOf(record, destination);
    return { destination, sync: upTo === null ? syncs : sync, parts: advanceSnapshot(parts, set, upTo) };
  });
  return {
    ...record,
    running: { ...running, left: upTo === null ? without(left, destinations) : left },
    told: [...record.told.filter((snapshot) => !destinations.includes(snapshot.destination)), ...snapshots],
  };
}

/** Ends this sync for some destinations early. The next sync sends them everything that they have not been sent. */
export function skipDestinations(record: AudienceRecord, destinations: readonly DestinationId[]): AudienceRecord {
  const { running } = record;
  if (running?.kind !== "sending") return record;
  return { ...record, running: { ...running, left: without(running.left, destinations) } };
}

/** Ends the sync, once no destination is left to send to. */
export function endSync(record: AudienceRecord, endedAt: EpochMs): AudienceRecord {
  const { running, syncs } = record;
  if (running?.kind !== "sending") return record;
  const { members, entered, departed, changed } = running;
  return { ...record, running: null, last: { sync: syncs, members, entered, departed, changed, endedAt } };
}

/** Gives up the lease of the owner: an upload is lost, and a sync that is being sent may be resumed at once. */
export function releaseSync(record: AudienceRecord): AudienceRecord {
  const { running } = record;
  if (running?.kind !== "sending") return { ...record, running: null };
  return { ...record, running: withoutLease(running) };
}

/** Makes another process the owner of the running sync, under a new lease. */
export function resumeSync(record: AudienceRecord, holder: LeaseHolder): AudienceRecord {
  const { running } = record;
  if (running === null) return record;
  const resumed: RunningSync = { ...running, ...holder };
  return { ...record, running: resumed };
}

/** The snapshot of a destination; empty if it has never been sent anything. */
export function snapshotOf({ told }: AudienceRecord, destination: DestinationId): SentSnapshot {
  return told.find((snapshot) => snapshot.destination === destination) ?? { destination, sync: 0, parts: [] };
}

function without(destinations: readonly DestinationId[], removed: readonly DestinationId[]): readonly DestinationId[] {
  return destinations.filter((destination) => !removed.includes(destination));
}
