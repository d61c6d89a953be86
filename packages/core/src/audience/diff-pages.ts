// Compares one page each of two sorted sets of members, and finds the changes between them (spec, webhook destination §1).
// The caller loads the next page of the list whose page is used up, and calls again; so a set may be far larger than memory.

import type { Member, MemberChange, PageCursor } from "./member.js";

/** The changes between two pages of members, and how far each page was read. */
interface PageDiff {
  /** In ascending order of user id, at most `limit`. */
  readonly changes: readonly MemberChange[];
  /** The index of the next unread member of each page. At least one page was read to its end, unless `limit` was reached. */
  readonly previousFrom: number;
  readonly currentFrom: number;
}

/**
 * Compares two lists as far as their pages reach. Both must be strictly ascending by user id, as `<` compares. An empty page
 * means that its list has ended; once both lists have ended, there are no changes left.
 */
export function diffPages(previous: PageCursor, current: PageCursor, limit: number): PageDiff {
  const changes: MemberChange[] = [];
  let [previousFrom, currentFrom] = [previous.from, current.from];
  while (changes.length < limit) {
    const previousMember = previous.page[previousFrom];
    const currentMember = current.page[currentFrom];
    if (isUsedUp(previousMember, previous) || isUsedUp(currentMember, current)) break;
    const change = changeOf(previousMember, currentMember);
    if (change === undefined) break;
    if (change.kind !== "same") changes.push(change);
    if (change.kind !== "entered") previousFrom += 1;
    if (change.kind !== "departed") currentFrom += 1;
  }
  return { changes, previousFrom, currentFrom };
}

/** True if the next member of this list is on a page that is not loaded yet. */
function isUsedUp(member: Member | undefined, { page }: PageCursor): boolean {
  return member === undefined && page.length > 0;
}

/** A user whose value has not changed. */
const SAME = { kind: "same" } as const;

/** The change of the user that comes first in two lists; undefined if both lists have ended. */
function changeOf(previous: Member | undefined, current: Member | undefined): MemberChange | typeof SAME | undefined {
  if (previous === undefined) return current && withValue("entered", current);
  if (previous.userId === current?.userId)
    return previous.value === current.value ? SAME : withValue("changed", current);
  const hasDeparted = current === undefined || previous.userId < current.userId;
  return hasDeparted ? { kind: "departed", userId: previous.userId } : withValue("entered", current);
}

function withValue(kind: "entered" | "changed", { userId, value }: Member): MemberChange {
  return value === undefined ? { kind, userId } : { kind, userId, value };
}
