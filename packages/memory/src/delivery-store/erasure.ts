// Decides whether a delivery must not be sent any more: its body has been purged, or a request whose purge is not done yet
// covers it (decision: deletion).

import { effectsOf, isAudienceSource } from "@postrider/core";
import type { Contents, StoredDelivery, StoredDeletion } from "./contents.js";

export function mustForget({ deletions }: Contents, delivery: StoredDelivery): boolean {
  if (delivery.message.body === undefined) return true;
  for (const deletion of deletions.unpurged) if (isCovered(deletion, delivery)) return true;
  return false;
}

/** True if a request covers this delivery. A notice has no user ids, so no request covers it. */
export function isCovered(
  { upTo, userIds, ...deletion }: StoredDeletion,
  { sequence, message }: StoredDelivery,
): boolean {
  if (sequence > upTo || !message.userIds.some((userId) => userIds.has(userId))) return false;
  return coversAll(deletion) || isAudienceSource(message.source) || deletion.sources?.includes(message.source) === true;
}

/** True without `sources`, or if the users are suppressed: `sources` then only choose the notices. */
function coversAll({ sources, regulation }: Pick<StoredDeletion, "sources" | "regulation">): boolean {
  return sources === null || effectsOf(regulation).suppression === "begins";
}
