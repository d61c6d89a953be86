// Reads a set in the order of its user ids, one page per call, and lists the sets whose names begin with a prefix.

import type { Member } from "@postrider/core";
import type { AudienceContents } from "./contents.js";

export function read({ sets }: AudienceContents, set: string, after: string | undefined): readonly Member[] {
  const members = sets.get(set) ?? [];
  const start = after === undefined ? 0 : countMembersUpTo(members, after);
  return members.slice(start, start + PAGE_MEMBERS).map(copyMember);
}

/** Each call scans all names; there are only a few names per audience. */
export function listSets({ sets }: AudienceContents, prefix: string): readonly string[] {
  return [...sets.keys()]
    .filter((name) => name.startsWith(prefix))
    .toSorted((first, second) => (first < second ? -1 : 1));
}

/** The most members that a read returns, and that a step of a drop removes. */
export const PAGE_MEMBERS = 1_000;

/** The number of members with a user id up to and including `userId`. */
export function countMembersUpTo(members: readonly Member[], userId: string): number {
  let [low, high] = [0, members.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const member = members[middle];
    if (member !== undefined && member.userId <= userId) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function copyMember({ userId, value }: Member): Member {
  return value === undefined ? { userId } : { userId, value };
}
