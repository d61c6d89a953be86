// A member of an audience or a value of a computed trait, its change between two syncs, and the order of stored sets: by
// the UTF-16 code units of the user ids, each user once (decision: audiences).

/** A user in an audience, or the value of a computed trait of a user. */
export interface Member {
  readonly userId: string;
  /** The value of a computed trait as JSON text. Absent for a member of an audience. */
  readonly value?: string;
}

/** The change of one user. `value` is absent for an audience, and for a user who no longer has a value. */
export interface MemberChange {
  readonly kind: "entered" | "departed" | "changed";
  readonly userId: string;
  /** As JSON text. */
  readonly value?: string;
}

/**
 * A position in a sorted list that is read page by page: `from` is the index of the next member in `page`. An empty page is
 * the end of the list. A reader holds only one page of each list in memory.
 */
export interface PageCursor {
  readonly page: readonly Member[];
  readonly from: number;
}

/** A sorted copy, each user once: the last member of each user that `members` has. Does not change its argument. */
export function sortMembers(members: readonly Member[]): readonly Member[] {
  // The sort is stable, so equal users stay in the order in which they were given.
  const sorted = members.toSorted(compareUsers);
  return sorted.filter((member, index) => sorted[index + 1]?.userId !== member.userId);
}

function compareUsers(a: Member, b: Member): number {
  if (a.userId < b.userId) return -1;
  return a.userId === b.userId ? 0 : 1;
}
