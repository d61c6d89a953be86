// Takes deleted users out of what is known of an audience (decision: erasure). Requests about users are numbered, and each
// audience notes up to which number they have been carried out in its sets. An upload that began before a request must not
// bring its users back; one that began after it may. Where the ids lie is not known here.

import type { DestinationId } from "../ids.js";
import type { AudienceRecord, SnapshotPart } from "./audience.js";
import { ownSets } from "./sync-sets.js";

/** The number of the last request that has been carried out in the sets of an audience. */
export function erasedUpTo({ erased = 0 }: AudienceRecord): number {
  return erased;
}

/** Whether a request may be finished: it has been carried out here, and no upload from before it still comes in. */
export function isErasedFrom(record: AudienceRecord, request: number): boolean {
  const { running } = record;
  const isComingIn = running?.kind === "collecting" && (running.since ?? 0) < request;
  return erasedUpTo(record) >= request && !isComingIn;
}

/** Of these sets of an audience those that a request has to be carried out in: all but what an upload is making. */
export function settledSets(record: AudienceRecord, sets: readonly string[]): readonly string[] {
  const { key, running, syncs } = record;
  if (running?.kind !== "collecting") return sets;
  const own = ownSets(key, syncs, sets);
  return sets.filter((set) => !own.includes(set));
}

/** A range of what a destination knows ends at a user, who may be deleted: where that stands, and what lies around it. */
export interface Bound {
  readonly destination: DestinationId;
  readonly upTo: string;
  /** The end of the range before. Absent: there is none. */
  readonly after?: string;
  /** The sets on both sides of it. */
  readonly sets: readonly string[];
}

/** The bounds of an audience that name one of these users. */
export function boundsAt({ told }: AudienceRecord, userIds: ReadonlySet<string>): readonly Bound[] {
  return told.flatMap(({ destination, parts }) =>
    parts.flatMap((part, place) =>
      boundAt(destination, { part, before: parts[place - 1], next: parts[place + 1] }, userIds),
    ),
  );
}

interface Neighbours {
  readonly part: SnapshotPart;
  readonly before: SnapshotPart | undefined;
  readonly next: SnapshotPart | undefined;
}

function boundAt(
  destination: DestinationId,
  { part: { set, upTo }, before, next }: Neighbours,
  userIds: ReadonlySet<string>,
): readonly Bound[] {
  if (upTo === null || !userIds.has(upTo)) return [];
  const sets = next === undefined ? [set] : [set, next.set];
  const after = before?.upTo ?? undefined;
  return [{ destination, upTo, sets, ...(after === undefined ? {} : { after }) }];
}

/** What stands in the place of a bound: the last member before it in its sets; null if there is none beyond `after`. */
export interface MovedBound extends Bound {
  readonly to: string | null;
}

/** The record once a request is carried out in its sets, up to this number. */
export function noteErased(record: AudienceRecord, request: number, moved: readonly MovedBound[]): AudienceRecord {
  const told = record.told.map((snapshot) => {
    const own = moved.filter(({ destination }) => destination === snapshot.destination);
    return { ...snapshot, parts: snapshot.parts.flatMap((part) => movePart(part, own)) };
  });
  return { ...record, told, erased: Math.max(erasedUpTo(record), request) };
}

/** A range that ends where the one before it does holds nothing. */
function movePart(part: SnapshotPart, moved: readonly MovedBound[]): readonly SnapshotPart[] {
  const found = moved.find(({ upTo }) => upTo === part.upTo);
  if (found === undefined) return [part];
  return found.to === null ? [] : [{ set: part.set, upTo: found.to }];
}
