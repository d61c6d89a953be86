// Says whether a delivery may still be handed out: not once its body is gone, nor while a request waits for its purge
// that names a user of its message and is younger than the delivery (decision: deletion).

import { effectsOf, isAudienceSource } from "@postrider/core";
import type { Contents, StoredDelivery } from "../contents.js";
import type { StoredDeletion } from "./contents.js";

export function isErased({ deletions }: Contents, delivery: StoredDelivery): boolean {
  if (delivery.message.body === undefined) return true;
  for (const deletion of deletions.unpurged) if (covers(deletion, delivery)) return true;
  return false;
}

/** Whether a request is about this delivery. Notices are about nobody, and so they stay. */
export function covers({ upTo, userIds, ...deletion }: StoredDeletion, { sequence, message }: StoredDelivery): boolean {
  if (sequence > upTo || !message.userIds.some((userId) => userIds.has(userId))) return false;
  return coversAll(deletion) || isAudienceSource(message.source) || deletion.sources?.includes(message.source) === true;
}

/** Whoever is suppressed has nothing left anywhere: then the sources say only whose receivers are told. */
function coversAll({ sources, regulation }: Pick<StoredDeletion, "sources" | "regulation">): boolean {
  return sources === null || effectsOf(regulation).suppression === "begins";
}
