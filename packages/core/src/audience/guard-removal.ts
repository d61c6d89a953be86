// Decides whether the number of users that a sync removes from an audience suggests a mistake, such as an incomplete export
// (decision: guarded uploads). The sync passes once the host has confirmed exactly that number. Knows no member.

import { MAX_REMOVED_SHARE, MIN_GUARDED_MEMBERS } from "../limits.js";

/** How many members a sync would remove. */
export interface Removal {
  /** How many members the audience had before. */
  readonly before: number;
  /** How many of these members would leave. */
  readonly departed: number;
}

/**
 * Whether a sync must be confirmed before it is sent: it removes more than half of an audience of at least 20 members, and the
 * host has not confirmed this number of removals. `confirmed` is the number that the host has confirmed, if any.
 */
export function needsConfirmation({ before, departed }: Removal, confirmed?: number): boolean {
  const isLarge = before >= MIN_GUARDED_MEMBERS && departed > before * MAX_REMOVED_SHARE;
  return isLarge && confirmed !== departed;
}
