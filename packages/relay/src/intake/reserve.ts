// Determines the first state of the deliveries of a new message, and makes their reservations in their lanes before the message
// is stored, so that calls which arrive meanwhile find these slots taken. Reservations of a message that is not stored are
// cancelled. Only the queue of messages may call this: it ends the reservations.

import type { CallWarning, DeadReason, DestinationId, EpochMs, NewDelivery, NewMessage, Clock } from "@postrider/core";
import { type LaneBounds, type LaneOnArrival, startDelivery } from "@postrider/core/engine";
import type { Lanes } from "../lanes/lanes.js";
import { type NewEntry, withdrawEntry } from "../lanes/lane.js";
import { refundSlot, type Slot } from "../lanes/slots.js";
import type { HandOff } from "../dispatch/claim.js";

/** The parts from which the state of a lane is read when a delivery arrives. */
export interface ArrivalContext {
  readonly clock: Clock;
  readonly lanes: Lanes;
  readonly laneBounds: LaneBounds;
  readonly handOff: HandOff;
}

/** A message that is to be stored, and the destinations that get it. */
export interface Draft {
  readonly message: Omit<NewMessage, "deliveries">;
  readonly destinations: readonly DestinationId[];
  /** The warnings for the caller; undefined if there is nothing to say. */
  readonly warnings?: readonly CallWarning[] | undefined;
}

/**
 * The reservation of a new delivery in its lane: an entry and a slot if the delivery is stored as claimed, an entry if
 * it waits, neither if it is dead.
 */
export type DeliveryReservation = { readonly destination: DestinationId } & (
  | { readonly kind: "claimed"; readonly entry: NewEntry; readonly slot: Slot }
  | { readonly kind: "waiting"; readonly entry: NewEntry; readonly dueAt: EpochMs }
  | { readonly kind: "dead"; readonly reason: DeadReason }
);

/** Deliveries, and the reservation of each. */
export interface ReservedDeliveries {
  readonly deliveries: readonly NewDelivery[];
  readonly reservations: readonly DeliveryReservation[];
}

/** A message that is ready to be stored, and the reservation of each of its deliveries. */
export interface ReservedMessage {
  readonly message: NewMessage;
  readonly reservations: readonly DeliveryReservation[];
  readonly warnings: Draft["warnings"];
}

export function reserve(context: ArrivalContext, { message, destinations, warnings }: Draft): ReservedMessage {
  const { deliveries, reservations } = reserveSome(context, message, destinations);
  // The deliveries are added in place: a copy of each message would be the largest cost of a call.
  return { message: Object.assign(message, { deliveries }), reservations, warnings };
}

/** Starts the deliveries of a message to some of its destinations, and makes their reservations. */
export function reserveSome(
  context: ArrivalContext,
  { body, receivedAt }: Draft["message"],
  destinations: readonly DestinationId[],
): ReservedDeliveries {
  const deliveries = startDeliveries(context, destinations, { size: body.length, now: receivedAt });
  return { deliveries, reservations: deliveries.map((delivery) => reserveOne(context.lanes, delivery, body.length)) };
}

function reserveOne(lanes: Lanes, { destination, start }: NewDelivery, bytes: number): DeliveryReservation {
  switch (start.kind) {
    case "claimed":
      return { kind: "claimed", destination, entry: lanes.add(destination, bytes), slot: lanes.reserve(destination) };
    case "waiting":
      return { kind: "waiting", destination, entry: lanes.add(destination, bytes), dueAt: start.dueAt };
    case "dead":
      return { kind: "dead", destination, reason: start.reason };
  }
}

/** Cancels the reservations of a message that was not stored. */
export function cancelReservations(reservations: readonly DeliveryReservation[]): void {
  for (const reservation of reservations) {
    if (reservation.kind === "dead") continue;
    withdrawEntry(reservation.entry);
    if (reservation.kind === "claimed") refundSlot(reservation.slot);
  }
}

/** The first state of one delivery for each destination; `size` is the size of the message's body in bytes. */
function startDeliveries(
  context: ArrivalContext,
  destinations: readonly DestinationId[],
  { size, now }: { readonly size: number; readonly now: EpochMs },
): NewMessage["deliveries"] {
  return destinations.map((destination) => ({
    destination,
    start: startDelivery(laneOnArrival(context, destination), size, now),
  }));
}

/** The state of a lane when a new delivery arrives. */
export function laneOnArrival(
  { clock, lanes, laneBounds, handOff }: ArrivalContext,
  lane: DestinationId,
): LaneOnArrival {
  return {
    lane: lanes.lane(lane),
    bounds: laneBounds,
    free: handOff.freeSlots(),
    isContended: lanes.isContended(),
    at: clock.monotonic(),
  };
}
