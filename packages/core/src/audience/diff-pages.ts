// Compares one page each of two sorted sets of members, and finds the changes between them (spec, webhook destination §1).
// The caller loads the next page of the list whose page is used up, and calls again; so a set may be far larger than memory.

import type { Member, MemberChange, PageCursor } from "./member.js";

/** The changes between two pages of members, and how far each page was read. */
interface PageDiff {
  /** In ascending order of user id, at most `limit`. */
  readonly changes: readonly MemberChange[];
  /** The index of the next unread member of each page. At least one page was read to its end, unless `limit` was reached. */
  readonly previous: number;
  readonly current: number;
}

/**
 * Compares two lists as far as their pages reach. Both must be strictly ascending by user id, as `<` compares. An empty page
 * means that its list has ended; once both lists have ended, there are no changes left.
 */
export function diffPages(previous: PageCursor, current: PageCursor, limit: number): PageDiff {
  const changes: MemberChange[] = [];
  let [previousIndex, currentIndex] = [previous.from, current.from];
  while (changes.length < limit) {
    const before = previous.page[previousIndex];
    const after = current.page[currentIndex];
    if (isUsedUp(before, previous) || isUsedUp(after, current)) break;
    const change = changeOf(before, after);
    if (change === undefined) break;
    if (change.kind !== "same") changes.push(change);
    if (change.kind !== "entered") previousIndex += 1;
    if (change.kind !== "departed") currentIndex += 1;
  }
  return { changes, previous: previousIndex, current: currentIndex };
}

/** True if the next member of this list is on a page that is not loaded yet. */
function isUsedUp(member: Member | undefined, { page }: PageCursor): boolean {
  return member === undefined && page.length > 0;
}

/** A user whose value has not changed. */
const SAME = { kind: "same" } as const;

/** The change of the user that comes first in two lists; undefined if both lists have ended. */
function changeOf(before: Member | undefined, after: Member | undefined): MemberChange | typeof SAME | undefined {
  if (before === undefined) return after && withValue("entered", after);
  if (before.userId === after?.userId) return before.value === after.value ? SAME : withValue("changed", after);
  const isGone = after === undefined || before.userId < after.userId;
  return isGone ? { kind: "departed", userId: before.userId } : withValue("entered", after);
}

function withValue(kind: "entered" | "changed", { userId, value }: Member): MemberChange {
  return value === undefined ? { kind, userId } : { kind, userId, value };
}
