// One member of an audience, or one value of a computed trait; and what becomes of it between two syncs.

export interface Member {
  readonly userId: string;
  /** The value of the trait as JSON text. Absent: the user belongs to it, and that is all there is to say. */
  readonly value?: string;
}

/** What a destination has to hear of one user. Without a value: it is an audience, or the user has none any more. */
export interface MemberChange {
  readonly kind: "entered" | "departed" | "changed";
  readonly userId: string;
  /** As JSON text. */
  readonly value?: string;
}

/**
 * How far a sorted list has been read that comes page by page: up to `from` of this page. An empty page is the end of it.
 * Whoever reads page by page holds a page of each list, however long the lists are.
 */
export interface Reading {
  readonly page: readonly Member[];
  readonly from: number;
}
