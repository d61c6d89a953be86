// Describes the members that a destination has been sent, as ranges of sets: up to some user, the members of the latest sync;
// after that user, those of an earlier sync (decision: audiences). As a sync proceeds, its range grows and replaces the
// others, so that the snapshot is exact whenever a sync stops. Knows no member.

import type { SnapshotRange } from "./audience.js";

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

/** Whether a range reaches further than this user; null is the end of the list. */
function reachesBeyond({ upTo }: SnapshotRange, user: string | null): boolean {
  return user !== null && (upTo === null || upTo > user);
}
