// Shows a delivery as a row of a list: without body, attempts and endpoints.

import { defined } from "@postrider/core/engine";
import type { DeliverySummary } from "@postrider/core";
import type { StoredDelivery } from "./contents.js";

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
    ...defined({ reason, detail }),
    ...(state === "waiting" || state === "claimed" ? { dueAt: at } : {}),
    ...defined({ replayOf }),
  };
}
