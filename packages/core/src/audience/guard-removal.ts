// Decides whether the number of users that a sync removes from an audience suggests a mistake, such as an incomplete export
// (decision: guarded uploads). The sync passes once the host has confirmed exactly that number.

import { MAX_REMOVED_SHARE, MIN_GUARDED_MEMBERS } from "../limits.js";

/** The members that a sync would remove, as numbers. */
export interface Removal {
  /** The number of members before the sync. */
  readonly members: number;
  /** The number of them that would leave. */
  readonly departed: number;
}

/**
 * True if a sync must be confirmed before it is sent: it removes more than half of an audience of at least 20 members, and the host has not
 * confirmed this number of removals. `confirmedCount` is the number that the host has confirmed, if any.
 */
export function needsConfirmation({ members, departed }: Removal, confirmedCount?: number): boolean {
  const isLarge = members >= MIN_GUARDED_MEMBERS && departed > members * MAX_REMOVED_SHARE;
  return isLarge && confirmedCount !== departed;
}
