// Lets a message that has been stored enter its lanes: what waits is due, what was stored as claimed is handed on. One that
// turned out to be a duplicate, or of a suppressed user, gives its places back.

import type { Accepted, DeliveryId, DestinationId, NewDelivery, NewMessage } from "@postrider/core";
import type { RelayContext } from "../context.js";
import type { HeldDelivery } from "../deliver/claim.js";
import type { HeldLease } from "../storage/held-lease.js";
import { release } from "./reserve.js";

export type EnterContext = Pick<RelayContext, "handOff" | "lanes" | "tell">;

export function enter(
  context: EnterContext,
  message: NewMessage,
  accepted: Accepted | undefined,
  lease: HeldLease,
): void {
  tellAccepted(context, message, accepted);
  enterFrom(context, { message, accepted, lease }, { from: 0, to: message.deliveries.length });
}

/** Tells what became of a message. What is not stored gives its places back. */
export function tellAccepted({ lanes, tell }: EnterContext, message: NewMessage, accepted: Accepted | undefined): void {
  const { source, messageId, filtered } = message;
  if (accepted?.kind === "stored") {
    tell({ kind: "accepted", source, messageId, deliveries: accepted.deliveries, filtered });
    return;
  }
  release(lanes, message);
  tell({ kind: accepted?.kind ?? "duplicate", source, messageId });
}

interface Entering {
  readonly message: NewMessage;
  readonly accepted: Accepted | undefined;
  readonly lease: HeldLease;
}

/** Lets those of its deliveries enter their lanes that lie from `from` to before `to`. */
export function enterFrom(
  context: EnterContext,
  { message, accepted, lease }: Entering,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  if (accepted?.kind !== "stored") return;
  const end = Math.min(to, message.deliveries.length);
  for (let index = from; index < end; index += 1) {
    const delivery = message.deliveries[index];
    const id = accepted.deliveries[index];
    if (delivery !== undefined && id !== undefined) enterLane(context, { message, delivery, id, lease });
  }
}

interface Stored {
  readonly message: NewMessage;
  readonly delivery: NewDelivery;
  readonly id: DeliveryId;
  readonly lease: HeldLease;
}

function enterLane({ handOff, lanes, tell }: EnterContext, { message, delivery, id, lease }: Stored): void {
  const { destination, start } = delivery;
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
