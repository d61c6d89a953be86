// The steps of a sync, as changes of the record of its audience: begun, sent, told, ended (decision: audiences). Whoever
// keeps the record before it takes the next step can be followed by anyone. The table of what leads where:
// nobody -> collecting -> sending -> nobody; what is lost while collecting leads back.

import type { DestinationId, EpochMs } from "../ids.js";
import type { AudienceRecord, RunningSync, SyncCounts, SyncHolder, ToldSnapshot } from "./audience.js";
import { erasedUpTo } from "./erasure.js";
import { advanceSnapshot } from "./snapshot.js";

/** Whether whoever held a sync last has given a sign of life within its lease. A clock that was set back gives none. */
export function isHeld({ aliveAt }: SyncHolder, leaseMs: number, now: EpochMs): boolean {
  return Math.abs(now - aliveAt) <= leaseMs;
}

/** Its members come in. `since` is the number of the last request about users, as it was when the host asked for the sync. */
export function beginSync(record: AudienceRecord, holder: SyncHolder, since: number): AudienceRecord {
  return { ...record, syncs: record.syncs + 1, running: { kind: "collecting", ...holder, since } };
}

/** A set of all members, without the users of any request up to `erased`. */
export interface WholeSet extends SyncCounts {
  readonly set: string;
  readonly members: number;
  readonly erased: number;
  readonly left: readonly DestinationId[];
}

/**
 * All members are there, and these destinations are to hear of them. A set that is behind the others in carrying out
 * requests about users, or ahead of them, changes nothing: it would bring users back, or lose whom it named since.
 */
export function sendSync(record: AudienceRecord, { erased, ...sending }: WholeSet): AudienceRecord {
  const { running } = record;
  if (running === null || erased !== erasedUpTo(record)) return record;
  const { owner, aliveAt } = running;
  return { ...record, current: sending.set, running: { kind: "sending", owner, aliveAt, ...sending } };
}

/** What some destinations have been told of a sync. */
export interface Told {
  readonly destinations: readonly DestinationId[];
  /** All changes up to this user; null: to the end. */
  readonly upTo: string | null;
  /** Up to which request about users the sets were rid of them when they were compared. */
  readonly asOf: number;
}

/**
 * Destinations know more than before; one that has heard the end is not left any more. What was compared before a request
 * about users was carried out changes nothing: its last user may be one of them.
 */
export function tellSync(record: AudienceRecord, { destinations, upTo, asOf }: Told): AudienceRecord {
  const { running, syncs } = record;
  if (running?.kind !== "sending" || asOf !== erasedUpTo(record)) return record;
  const { set, left } = running;
  const told = destinations.map((destination): ToldSnapshot => {
    const { sync, parts } = knownTo(record, destination);
    return { destination, sync: upTo === null ? syncs : sync, parts: advanceSnapshot(parts, set, upTo) };
  });
  return {
    ...record,
    running: { ...running, left: upTo === null ? without(left, destinations) : left },
    told: [...record.told.filter((snapshot) => !destinations.includes(snapshot.destination)), ...told],
  };
}

/** These destinations hear no more of this sync, but all that they have not heard with the next one. */
export function leaveBehind(record: AudienceRecord, destinations: readonly DestinationId[]): AudienceRecord {
  const { running } = record;
  if (running?.kind !== "sending") return record;
  return { ...record, running: { ...running, left: without(running.left, destinations) } };
}

/** Everyone has heard. */
export function endSync(record: AudienceRecord, endedAt: EpochMs): AudienceRecord {
  const { running, syncs } = record;
  if (running?.kind !== "sending") return record;
  const { members, entered, departed, changed } = running;
  return { ...record, running: null, last: { sync: syncs, members, entered, departed, changed, endedAt } };
}

/** Whoever held it lets go: what was collected is lost, what was being sent may be taken up at once. */
export function releaseSync(record: AudienceRecord): AudienceRecord {
  const { running } = record;
  if (running?.kind !== "sending") return { ...record, running: null };
  return { ...record, running: { ...running, aliveAt: NEVER } };
}

const NEVER = 0 as EpochMs;

/** Somebody else goes on with it. */
export function takeUpSync(record: AudienceRecord, holder: SyncHolder): AudienceRecord {
  const { running } = record;
  if (running === null) return record;
  const taken: RunningSync = { ...running, ...holder };
  return { ...record, running: taken };
}

/** What a destination knows; nothing, if it has never been told. */
export function knownTo({ told }: AudienceRecord, destination: DestinationId): ToldSnapshot {
  return told.find((snapshot) => snapshot.destination === destination) ?? { destination, sync: 0, parts: [] };
}

function without(left: readonly DestinationId[], gone: readonly DestinationId[]): readonly DestinationId[] {
  return left.filter((destination) => !gone.includes(destination));
}
