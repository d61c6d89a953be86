// Lets a message that has been stored enter its lanes: what waits is due, what was stored as claimed is handed on. One that
// turned out to be a duplicate, or of a suppressed user, gives its places back.

import type { Accepted, DeliveryId, DestinationId, NewMessage } from "@postrider/core";
import type { RelayContext } from "../context.js";
import type { HeldDelivery } from "../deliver/claim.js";
import type { HeldLease } from "../storage/part.js";
import { giveBack } from "./reserve.js";

export function enter(
  { handOff, lanes, tell }: RelayContext,
  message: NewMessage,
  accepted: Accepted | undefined,
  lease: HeldLease,
): void {
  const { source, messageId, filtered } = message;
  if (accepted?.kind !== "stored") {
    giveBack(lanes, message);
    tell({ kind: accepted?.kind ?? "duplicate", source, messageId });
    return;
  }
  tell({ kind: "accepted", source, messageId, deliveries: accepted.deliveries, filtered });
  for (const [index, { destination, start }] of message.deliveries.entries()) {
    const id = accepted.deliveries[index];
    if (id === undefined) continue;
    switch (start.kind) {
      case "claimed":
        handOff.give({ delivery: freshDelivery(message, id, destination), lease });
        break;
      case "waiting":
        lanes.due(destination, start.dueAt);
        break;
      case "dead":
        tell({ kind: "died", delivery: id, destination, reason: start.reason, detail: null });
        break;
    }
  }
}

/** A delivery as a claim would hand it out. */
function freshDelivery(
  { source, type, messageId, receivedAt, body }: NewMessage,
  id: DeliveryId,
  lane: DestinationId,
): HeldDelivery {
  return {
    id,
    lane,
    source,
    type,
    messageId,
    acceptedAt: receivedAt,
    dueAt: receivedAt,
    body,
    rounds: 0,
    endpoints: [],
  };
}
