// Who is suppressed: asked of each message that comes in, and shown in pages.

import type { NewMessage } from "@postrider/core";
import type { Contents } from "../contents.js";

export function isSuppressed({ people }: Contents, { userIds = [] }: NewMessage): boolean {
  return people.suppressed.size > 0 && userIds.some((userId) => people.suppressed.has(userId));
}

/** Whether there is a request about users that the message knows nothing of. */
export function isOutdated({ people }: Contents, { asOf }: NewMessage): boolean {
  return asOf !== undefined && people.deletions.size > asOf;
}

export interface SuppressedPage {
  readonly after?: string;
  readonly limit: number;
}

export function listSuppressed({ people }: Contents, { after, limit }: SuppressedPage): readonly string[] {
  const behind = [...people.suppressed].filter((userId) => after === undefined || userId > after);
  return behind.sort().slice(0, limit);
}
