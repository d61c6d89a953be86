// Who is suppressed: asked of each message that comes in, and shown in pages.

import type { NewMessage } from "@postrider/core";
import type { Contents } from "../contents.js";

export function isSuppressed({ deletions }: Contents, { userIds = [] }: NewMessage): boolean {
  return deletions.suppressed.size > 0 && userIds.some((userId) => deletions.suppressed.has(userId));
}

/** Whether there is a request about users that the message knows nothing of. */
export function isOutdated({ deletions }: Contents, { asOf }: NewMessage): boolean {
  return asOf !== undefined && deletions.requests.size > asOf;
}

export interface SuppressedPage {
  readonly after?: string;
  readonly limit: number;
}

export function listSuppressed({ deletions }: Contents, { after, limit }: SuppressedPage): readonly string[] {
  const behind = [...deletions.suppressed].filter((userId) => after === undefined || userId > after);
  return behind.sort().slice(0, limit);
}
