// Queues the deliveries of a stored message in their lanes: the lane learns when a waiting delivery is due, and
// deliveries that were stored as claimed are handed off. If the message was not stored (duplicate, suppressed,
// outdated), its reservations are cancelled.

import type { AcceptResult, DeliveryId, DestinationId, NewMessage } from "@postrider/core";
import type { EmitEvent } from "../relay-event.js";
import type { HeldDelivery } from "../dispatch/claim.js";
import { factsOf } from "../dispatch/delivery-facts.js";
import type { HandOff } from "../dispatch/hand-off.js";
import type { Lanes } from "../state/lanes.js";
import type { HeldLease } from "../storage/held-lease.js";
import { cancelReservations, type DeliveryReservation, type ReservedMessage } from "./reserve.js";

export interface QueueContext {
  readonly handOff: HandOff;
  readonly lanes: Lanes;
  readonly emit: EmitEvent;
}

export interface QueuedMessage extends ReservedMessage {
  /** The outcome of the message in the store. */
  readonly accepted: AcceptResult | undefined;
  readonly lease: HeldLease;
}

/** Reports the outcome of a message, and queues all its deliveries. */
export function queueStored(context: QueueContext, entering: QueuedMessage): void {
  concludeMessage(context.emit, entering);
  queueSome(context, entering, { from: 0, to: entering.reservations.length });
}

/** Reports the outcome of a message. If the message was not stored, cancels its reservations. */
export function concludeMessage(emit: EmitEvent, { message, reservations, accepted, warnings }: QueuedMessage): void {
  const { source, messageId, filtered } = message;
  if (accepted?.kind === "stored") {
    const { deliveries } = accepted;
    if (warnings === undefined) emit({ kind: "accepted", source, messageId, deliveries, filtered });
    else emit({ kind: "accepted", source, messageId, deliveries, filtered, warnings });
    return;
  }
  cancelReservations(reservations);
  emit({ kind: accepted?.kind ?? "duplicate", source, messageId });
}

/** Queues those deliveries of the message whose index is at least `from` and less than `to`. */
export function queueSome(
  context: QueueContext,
  entering: QueuedMessage,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  const { reservations, accepted } = entering;
  if (accepted?.kind !== "stored") return;
  const end = Math.min(to, reservations.length);
  for (let index = from; index < end; index += 1) {
    const reservation = reservations[index];
    const id = accepted.deliveries[index];
    if (reservation !== undefined && id !== undefined) queueOne(context, entering, { reservation, id });
  }
}

interface Stored {
  readonly reservation: DeliveryReservation;
  readonly id: DeliveryId;
}

function queueOne(
  { handOff, lanes, emit }: QueueContext,
  { message, lease }: QueuedMessage,
  { reservation, id }: Stored,
): void {
  const { destination } = reservation;
  switch (reservation.kind) {
    case "claimed": {
      const { slot, entry } = reservation;
      handOff.give({ delivery: freshDelivery(message, id, destination), lease, slot, entry });
      break;
    }
    case "waiting":
      lanes.due(destination, reservation.dueAt);
      break;
    case "dead":
      emit({
        kind: "died",
        ...factsOf(freshDelivery(message, id, destination)),
        reason: reservation.reason,
        detail: null,
      });
      break;
  }
}

/** A new delivery, in the form in which a claim would return it. */
function freshDelivery(
  { source, type, messageId, receivedAt, body, traceparent }: NewMessage,
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
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}
