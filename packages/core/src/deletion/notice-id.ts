// Creates the messageIds of notices. The id depends only on the request and the user's index, so that a request that is
// resumed after a crash, or carried out by two processes at once, sends no notice twice. The id reveals nothing about the
// user.

import type { DeletionId } from "../ids.js";

/** The messageId of all notices about a user, which has one notice per source. `user` is the user's index in the request. */
export function noticeId(deletion: DeletionId, user: number): string {
  return `delete-${deletion}-${String(user)}`;
}
