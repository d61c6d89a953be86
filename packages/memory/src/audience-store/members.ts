// Positions in a set of members, which is an array sorted by user id, and the number of members per step.

import type { Member } from "@postrider/core";

/** Members per read, and per step of a drop. */
export const PAGE_MEMBERS = 1_000;

/** How many members come before `userId` or are it. */
export function countUpTo(members: readonly Member[], userId: string): number {
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
