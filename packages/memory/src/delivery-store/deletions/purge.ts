// Removes the stored data of the users of a request, slice by slice, from the newest delivery that the request covers to
// the oldest.

import type { DeletionId, EpochMs } from "@postrider/core";
import type { Contents, StoredDelivery, MessageContents } from "../contents.js";
import { subtractBody, move } from "../move.js";
import { isCovered } from "./erasure.js";

export interface PurgeRequest {
  readonly id: DeletionId;
  readonly limit: number;
}

export function purge(contents: Contents, { id, limit }: PurgeRequest, now: EpochMs): { readonly isDone: boolean } {
  const deletion = contents.deletions.requests.get(id);
  if (deletion === undefined || !contents.deletions.unpurged.has(deletion)) return { isDone: true };
  let looked = 0;
  for (const delivery of contents.history.before(deletion.lookedAt)) {
    if (looked === limit) return { isDone: false };
    looked += 1;
    deletion.lookedAt = delivery.sequence;
    if (isCovered(deletion, delivery)) deletion.purged += purgeMessage(contents, delivery.message, now);
  }
  contents.deletions.unpurged.delete(deletion);
  return { isDone: true };
}

/** Removes the body, the users and the excerpts of a message. Returns how many deliveries the message has. */
function purgeMessage(contents: Contents, message: MessageContents, now: EpochMs): number {
  for (const delivery of message.deliveries) purgeDelivery(contents, delivery, now);
  contents.bytes -= message.body?.length ?? 0;
  message.body = undefined;
  message.userIds = [];
  return message.deliveries.size;
}

function purgeDelivery(contents: Contents, delivery: StoredDelivery, now: EpochMs): void {
  delivery.endpoints = delivery.endpoints.map(({ excerpt: _, ...state }) => state);
  if (delivery.state === "claimed") subtractBody(contents, delivery);
  if (delivery.state === "waiting") move(contents, delivery, "ended", now);
  if (delivery.state === "dead") delivery.reason = "purged";
}
