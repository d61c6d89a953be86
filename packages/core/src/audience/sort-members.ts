// Puts members in the order in which sets of them are kept: by the UTF-16 code units of their user ids, as `<` compares,
// each user once. Of several values for one user the one given last counts (decision: audiences).

import type { Member } from "./member.js";

/** A sorted copy, each user once. */
export function sortMembers(members: readonly Member[]): readonly Member[] {
  // The sort is stable: of equal users the one given last comes last.
  const sorted = members.toSorted(compareUsers);
  return sorted.filter((member, index) => sorted[index + 1]?.userId !== member.userId);
}

function compareUsers(one: Member, other: Member): number {
  if (one.userId < other.userId) return -1;
  return one.userId === other.userId ? 0 : 1;
}
