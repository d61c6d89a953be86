// Starts the deliveries of a message and takes their places in the lanes, before it is stored, so that calls which come in
// meanwhile see them taken; gives the places back where it is not stored after all. For `enqueue` alone: what is reserved
// elsewhere would have no end.

import type { DestinationId, NewDelivery, NewMessage } from "@postrider/core";
import type { LaneBook } from "../books/lane-book.js";
import { type ArrivalContext, startDeliveries } from "./start-deliveries.js";

/** A message that is to be stored, and the destinations that get it. */
export interface Draft {
  readonly message: Omit<NewMessage, "deliveries">;
  readonly destinations: readonly DestinationId[];
}

export function reserve(context: ArrivalContext, { message, destinations }: Draft): NewMessage {
  const deliveries = reserveSome(context, message, destinations);
  // Added in place: a copy of each message is what a call can least afford.
  return Object.assign(message, { deliveries });
}

/** The deliveries of a message to some of its destinations, each with its place. */
export function reserveSome(
  context: ArrivalContext,
  { body, receivedAt }: Draft["message"],
  destinations: readonly DestinationId[],
): readonly NewDelivery[] {
  const { lanes } = context;
  const deliveries = startDeliveries(context, destinations, { size: body.length, now: receivedAt });
  for (const { destination, start } of deliveries) {
    if (start.kind === "dead") continue;
    lanes.grow(destination, body.length);
    if (start.kind === "claimed") lanes.begin(destination);
  }
  return deliveries;
}

/** Gives back all places of a message that was not stored. */
export function release(lanes: LaneBook, { deliveries, body }: Pick<NewMessage, "deliveries" | "body">): void {
  for (const { destination, start } of deliveries) {
    if (start.kind === "dead") continue;
    lanes.shrink(destination, body.length);
    if (start.kind === "claimed") lanes.cancel(destination);
  }
}
