// What the events of a claimed delivery tell of it. Decides nothing.

import type { DeliveryInEvent } from "../relay-event.js";
import type { HeldDelivery } from "./claim.js";

/** The facts of a delivery for an event: ids, codes and times only. */
export function factsOf(delivery: HeldDelivery): DeliveryInEvent {
  const { id, lane, source, type, messageId, acceptedAt, rounds, traceparent } = delivery;
  const facts = { delivery: id, destination: lane, source, type, messageId, acceptedAt, rounds };
  return traceparent === undefined ? facts : { ...facts, traceparent };
}
