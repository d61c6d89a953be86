// Counts the deliveries of the notices of each request, and how many users have been notified.

import type { DeliveryState, NoticeProgress } from "@postrider/core";
import type { Contents, MessageContents } from "../contents.js";
import type { MutableNoticeCounts } from "./contents.js";

export function countNotice(contents: Contents, message: MessageContents, state: DeliveryState | "stored"): void {
  if (message.deletion === undefined || state === "waiting" || state === "claimed") return;
  const counts = noticeCountsOf(contents, message);
  if (counts !== undefined) counts[state] += 1;
}

function noticeCountsOf(
  { deletions }: Contents,
  { deletion, source }: MessageContents,
): MutableNoticeCounts | undefined {
  const notices = deletion === undefined ? undefined : deletions.requests.get(deletion)?.notices;
  const counts = notices?.get(source) ?? { stored: 0, delivered: 0, dead: 0 };
  notices?.set(source, counts);
  return counts;
}

/**
 * Stores how many users have been notified. The number never decreases, since a second process may report an older
 * number.
 */
export function noteNotified({ deletions }: Contents, { deletion: id, users }: NoticeProgress): void {
  const deletion = deletions.requests.get(id);
  if (deletion !== undefined) deletion.notified = Math.max(deletion.notified, Math.min(users, deletion.users));
}
