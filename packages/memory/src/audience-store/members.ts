// Finds positions in a set of members, which is an array sorted by user id. Defines how many members a read or a step
// of a drop takes.

import type { Member } from "@postrider/core";

/** How many members a read returns at most, and a step of a drop removes. */
export const PAGE_MEMBERS = 1_000;

/** How many members have a user id up to and including `userId`. */
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
