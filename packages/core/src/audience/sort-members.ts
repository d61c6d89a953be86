// Sorts members into the order of stored sets: by the UTF-16 code units of their user ids, as `<` compares, each user once.
// If a user is given several times, the last one counts (decision: audiences). For lists that fit into memory.

import type { Member } from "./member.js";

/** A sorted copy, each user once. Does not change its argument. */
export function sortMembers(members: readonly Member[]): readonly Member[] {
  // The sort is stable, so equal users stay in the order in which they were given.
  const sorted = members.toSorted(compareUsers);
  return sorted.filter((member, index) => sorted[index + 1]?.userId !== member.userId);
}

function compareUsers(one: Member, other: Member): number {
  if (one.userId < other.userId) return -1;
  return one.userId === other.userId ? 0 : 1;
}
