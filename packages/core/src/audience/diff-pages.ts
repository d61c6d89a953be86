// What has changed between two sorted sets of members, as far as one page of each reaches (spec, webhook destination §1).
// Knows nothing of where pages come from: whoever asks brings the next page of the list whose page is used up, and goes on.
// So a set may be far larger than memory, and its pages may come from anywhere.

import type { Member, MemberChange, Reading } from "./member.js";

export interface PageDiff {
  /** In the order of their users, at most `limit`. */
  readonly changes: readonly MemberChange[];
  /** How far the two pages have been read. One of them to its end, unless `limit` was reached. */
  readonly previous: number;
  readonly current: number;
}

/** Compares two lists as far as their pages reach. Both at their end: there is nothing left. */
export function diffPages(previous: Reading, current: Reading, limit: number): PageDiff {
  const changes: MemberChange[] = [];
  let [past, present] = [previous.from, current.from];
  while (changes.length < limit) {
    const before = previous.page[past];
    const after = current.page[present];
    if (isUsedUp(before, previous) || isUsedUp(after, current)) break;
    const change = changeOf(before, after);
    if (change === "over") break;
    if (change !== "same") changes.push(change);
    if (change === "same" || change.kind !== "entered") past += 1;
    if (change === "same" || change.kind !== "departed") present += 1;
  }
  return { changes, previous: past, current: present };
}

/** Whether nobody can say what comes next in this list before its next page is there. */
function isUsedUp(member: Member | undefined, { page }: Reading): boolean {
  return member === undefined && page.length > 0;
}

/** What becomes of the first user of two lists; over, if there is none. */
function changeOf(before: Member | undefined, after: Member | undefined): MemberChange | "same" | "over" {
  if (before === undefined) return after === undefined ? "over" : withValue("entered", after);
  if (before.userId === after?.userId) return before.value === after.value ? "same" : withValue("changed", after);
  const isGone = after === undefined || before.userId < after.userId;
  return isGone ? { kind: "departed", userId: before.userId } : withValue("entered", after);
}

function withValue(kind: "entered" | "changed", { userId, value }: Member): MemberChange {
  return value === undefined ? { kind, userId } : { kind, userId, value };
}
