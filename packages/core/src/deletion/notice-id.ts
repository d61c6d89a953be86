// Names the notices of a deletion. The same for the same request and user whenever it is made, so that a request which is
// taken up again after a crash, or by two processes at once, tells nobody twice; and it says nothing of the user.

import type { DeletionId } from "../ids.js";

/** The messageId of a user's notices; `user` is the user's place in the request. The sources have one each. */
export function noticeId(deletion: DeletionId, user: number): string {
  return `delete-${deletion}-${String(user)}`;
}
