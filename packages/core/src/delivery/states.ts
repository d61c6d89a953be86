// The state table of a delivery: which event leads from which state to which. Transitions that are not in it are impossible.
// docs/delivery-states.md is generated from this table.

import type { DeliveryState } from "./delivery.js";

export const DELIVERY_EVENTS = ["claimed", "delivered", "rescheduled", "released", "died", "ended"] as const;

/**
 * claimed: it was claimed, for the first time or after the lease of another claim had ended · delivered: an endpoint took it ·
 * rescheduled: a round failed, and a further one is due · released: it was claimed, but no attempt is recorded · died: the
 * last round failed, or the window ended · ended: the host gave its lane up, its window ended while its lane was closed, or its
 * user was deleted.
 */
export type DeliveryEvent = (typeof DELIVERY_EVENTS)[number];

/** The next state for each state and event. An event that is missing in a state cannot occur there. */
export const DELIVERY_TABLE: Readonly<Record<DeliveryState, Readonly<Partial<Record<DeliveryEvent, DeliveryState>>>>> =
  {
    waiting: { claimed: "claimed", ended: "dead" },
    claimed: {
      claimed: "claimed",
      delivered: "delivered",
      rescheduled: "waiting",
      released: "waiting",
      died: "dead",
      ended: "dead",
    },
    delivered: {},
    dead: {},
  };

/** The state after an event; undefined if the event cannot occur in `state`. */
export function nextState(state: DeliveryState, event: DeliveryEvent): DeliveryState | undefined {
  return DELIVERY_TABLE[state][event];
}
