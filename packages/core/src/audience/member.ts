// A member of an audience or a value of a computed trait, and its change between two syncs. Data only.

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
