// Decides whether a sync takes so many users out of an audience that a mistake is likelier than the wish: an export that
// broke off, a list of something else (decision: guarded uploads). The same number, said by the host, lets it through.

import { MAX_REMOVED_SHARE, MIN_GUARDED_MEMBERS } from "../limits.js";

/** What a sync would do to an audience. */
export interface Removal {
  /** How many members the audience had before. */
  readonly before: number;
  /** How many of them would leave. */
  readonly departed: number;
}

/** Whether a sync has to be confirmed. `confirmed` is how many users may leave, if the host has said so. */
export function isRemovalHeld({ before, departed }: Removal, confirmed?: number): boolean {
  const isLarge = before >= MIN_GUARDED_MEMBERS && departed > before * MAX_REMOVED_SHARE;
  return isLarge && confirmed !== departed;
}
