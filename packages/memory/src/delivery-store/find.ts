// Finds one delivery, and shows it in full or in short.

import type { AttemptRecord, DeliveryId, DeliveryRecord, DeliverySummary } from "@postrider/core";
import type { Contents, StoredDelivery } from "./contents.js";
import { copyBody, copyEndpoints } from "./copies.js";

export function find(contents: Contents, id: DeliveryId): DeliveryRecord | undefined {
  const delivery = contents.deliveries.get(id);
  if (delivery === undefined) return undefined;
  const attempts = delivery.attempts.toSorted(byStartThenEndpoint);
  const endpoints = copyEndpoints(delivery.endpoints);
  const { body } = delivery.message;
  return { ...summarise(delivery), ...(body === undefined ? {} : { body: copyBody(body) }), attempts, endpoints };
}

export function summarise(delivery: StoredDelivery): DeliverySummary {
  const { id, state, reason, detail, destination, acceptedAt, replayOf, message, at, attempts } = delivery;
  const { source, type, messageId } = message;
  return {
    id,
    state,
    source,
    destination,
    type,
    messageId,
    acceptedAt,
    attemptCount: attempts.length,
    ...(reason === undefined ? {} : { reason }),
    ...(detail === undefined ? {} : { detail }),
    ...(state === "waiting" || state === "claimed" ? { dueAt: at } : {}),
    ...(replayOf === undefined ? {} : { replayOf }),
  };
}

function byStartThenEndpoint(one: AttemptRecord, other: AttemptRecord): number {
  if (one.startedAt !== other.startedAt) return one.startedAt - other.startedAt;
  if (one.endpoint === other.endpoint) return 0;
  return one.endpoint < other.endpoint ? -1 : 1;
}
