// Checks whether a user of a new message is suppressed, and lists the suppressed users in pages.

import type { NewMessage } from "@postrider/core";
import type { Contents } from "../contents.js";

export function isSuppressed({ deletions }: Contents, { userIds = [] }: NewMessage): boolean {
  return deletions.suppressed.size > 0 && userIds.some((userId) => deletions.suppressed.has(userId));
}

/**
 * Whether a request about users was stored after the request with the number `asOf`. A message without `asOf` is never
 * outdated.
 */
export function isOutdated({ deletions }: Contents, { asOf }: NewMessage): boolean {
  return asOf !== undefined && deletions.requests.size > asOf;
}

export interface SuppressedQuery {
  readonly after?: string;
  readonly limit: number;
}

export function listSuppressed({ deletions }: Contents, { after, limit }: SuppressedQuery): readonly string[] {
  const behind = [...deletions.suppressed].filter((userId) => after === undefined || userId > after);
  return behind.sort().slice(0, limit);
}
