// Names the notices of a deletion request. The id depends only on the request and the user's index, so that a request resumed
// after a crash, or carried out by two processes at once, sends no notice twice. It reveals nothing of the user.

import type { DeletionId } from "../ids.js";

/** The messageId of a user's notices, one per source; `user` is the index of the user in the request. */
export function noticeId(deletion: DeletionId, user: number): string {
  return `delete-${deletion}-${String(user)}`;
}
