// What a destination knows of an audience, as ranges of sets: up to some user it has heard the latest sync, beyond that an
// earlier one (decision: audiences). As a sync goes on, its range grows and the others give way; whenever that ends, what
// is left is exact.

import type { AudienceRecord, SnapshotPart } from "./audience.js";

/** A snapshot after its destination has been told all changes of `set` up to this user; null: to the end. */
export function advanceSnapshot(
  parts: readonly SnapshotPart[],
  set: string,
  upTo: string | null,
): readonly SnapshotPart[] {
  return [{ set, upTo }, ...parts.filter((part) => reachesBeyond(part, upTo))];
}

/** How far a destination has heard of `set`: null if it has heard nothing, else the last range that is told. */
export function reachedIn(parts: readonly SnapshotPart[], set: string): SnapshotPart | null {
  const [first] = parts;
  return first?.set === set ? first : null;
}

/** The set of an audience's members as of the sync before. Of a record of an earlier version, what was heard last. */
export function currentSet({ current, told }: AudienceRecord): string | undefined {
  if (current !== undefined) return current;
  const heard = told.toSorted((one, other) => other.sync - one.sync);
  return heard.flatMap(({ parts }) => (parts.length === 1 && parts[0]?.upTo === null ? [parts[0].set] : []))[0];
}

/** Where the members beyond a user stand: undefined if the snapshot holds none there. Without `after`, those from the start. */
export function partBeyond(parts: readonly SnapshotPart[], after: string | undefined): SnapshotPart | undefined {
  return parts.find(({ upTo }) => upTo === null || after === undefined || upTo > after);
}

/** Whether a part holds members beyond this user; null stands beyond all. */
function reachesBeyond({ upTo }: SnapshotPart, user: string | null): boolean {
  return user !== null && (upTo === null || upTo > user);
}
