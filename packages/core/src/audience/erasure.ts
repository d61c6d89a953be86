// Removes deleted users from the record of an audience (decision: erasure). Deletion requests are numbered, and each audience
// records up to which number they have been carried out in its sets. An upload that began before a request must not restore
// the users of that request; an upload that began after the request may.

import { defined } from "../defined.js";
import type { DestinationId } from "../ids.js";
import type { AudienceRecord, SnapshotRange } from "./audience.js";

/** The number of the last deletion request that has been carried out in the sets of an audience; 0 for none. */
export function erasedUpTo({ erased = 0 }: AudienceRecord): number {
  return erased;
}

/**
 * True if a request is complete in this audience: it has been carried out in the sets, and no upload that began before the request is
 * running.
 */
export function isErasedFrom(record: AudienceRecord, request: number): boolean {
  const { running } = record;
  const hasEarlierUpload = running?.kind === "collecting" && running.since < request;
  return erasedUpTo(record) >= request && !hasEarlierUpload;
}

/** The end of a range of a snapshot. The end names a user, so it must be moved if that user is deleted. */
export interface RangeEnd {
  readonly destination: DestinationId;
  readonly upTo: string;
  /** The end of the previous range. Absent: this is the first range. */
  readonly after?: string;
  /** The sets of this range and of the next one, if there is one. */
  readonly sets: readonly string[];
}

/** The ends of ranges that name one of these users, over all snapshots of an audience. */
export function rangeEndsAt({ told }: AudienceRecord, userIds: ReadonlySet<string>): readonly RangeEnd[] {
  return told.flatMap(({ destination, parts }) =>
    parts.flatMap((part, place) =>
      rangeEndOf(destination, { part, previousPart: parts[place - 1], nextPart: parts[place + 1] }, userIds),
    ),
  );
}

interface Neighbours {
  readonly part: SnapshotRange;
  readonly previousPart: SnapshotRange | undefined;
  readonly nextPart: SnapshotRange | undefined;
}

function rangeEndOf(
  destination: DestinationId,
  { part: { set, upTo }, previousPart, nextPart }: Neighbours,
  userIds: ReadonlySet<string>,
): readonly RangeEnd[] {
  if (upTo === null || !userIds.has(upTo)) return [];
  const sets = nextPart === undefined ? [set] : [set, nextPart.set];
  const after = previousPart?.upTo ?? undefined;
  return [{ destination, upTo, sets, ...defined({ after }) }];
}

/** The end of a range, and its replacement `to`: the last member before this end in its range; null if there is none. */
export interface MovedRangeEnd extends RangeEnd {
  readonly to: string | null;
}

/** The record after all requests up to number `request` have been carried out in its sets. */
export function recordErased(record: AudienceRecord, request: number, moved: readonly MovedRangeEnd[]): AudienceRecord {
  const snapshots = record.told.map((snapshot) => {
    const movedHere = moved.filter(({ destination }) => destination === snapshot.destination);
    return { ...snapshot, parts: snapshot.parts.flatMap((part) => movePart(part, movedHere)) };
  });
  return { ...record, told: snapshots, erased: Math.max(erasedUpTo(record), request) };
}

/** The range with its end moved. A range without members is left out. */
function movePart(part: SnapshotRange, moved: readonly MovedRangeEnd[]): readonly SnapshotRange[] {
  const match = moved.find(({ upTo }) => upTo === part.upTo);
  if (match === undefined) return [part];
  return match.to === null ? [] : [{ set: part.set, upTo: match.to }];
}
