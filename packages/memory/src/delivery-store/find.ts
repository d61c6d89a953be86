// Finds one delivery in full: its body, its attempts, the state of its endpoints.

import type { AttemptRecord, DeliveryId, DeliveryRecord } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import type { Contents } from "./contents.js";
import { copyBody, copyEndpoints } from "./copies.js";
import { summarise } from "./summary.js";

export function find(contents: Contents, id: DeliveryId): DeliveryRecord | undefined {
  const delivery = contents.deliveries.get(id);
  if (delivery === undefined) return undefined;
  const attempts = delivery.attempts.toSorted(byStartThenEndpoint);
  const endpoints = copyEndpoints(delivery.endpoints);
  const { message, lapses } = delivery;
  const body = message.body && copyBody(message.body);
  return { ...summarise(delivery), ...defined({ body }), attempts, endpoints, ...defined({ lapses }) };
}

function byStartThenEndpoint(one: AttemptRecord, other: AttemptRecord): number {
  if (one.startedAt !== other.startedAt) return one.startedAt - other.startedAt;
  if (one.endpoint === other.endpoint) return 0;
  return one.endpoint < other.endpoint ? -1 : 1;
}
