// One member of an audience, or one value of a computed trait.

export interface Member {
  readonly userId: string;
  /** The value of the trait as JSON text. Absent: the user belongs to it, and that is all there is to say. */
  readonly value?: string;
}
