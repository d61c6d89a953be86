// The state table of a delivery: the next state for each state and event. Transitions that are not in the table are
// impossible. docs/delivery-states.md is generated from this table.

import type { DeliveryState } from "./delivery.js";

/** The events that change the state of a delivery; see `DeliveryEvent`. */
export const DELIVERY_EVENTS = ["claimed", "delivered", "rescheduled", "released", "died", "ended"] as const;

/**
 * An event of a delivery. claimed: it was due, or the lease of an earlier claim had ended · delivered: an endpoint took it ·
 * rescheduled: a round failed, and a further round will be due · released: its claim ended, and no attempt is recorded · died:
 * its claim ended with the reason expired, refused or purged · ended: it died without a settlement, since the host gave up its
 * lane, its retention ended without a destination, its time ended while its lane was closed, held or blocked, or its user was
 * deleted.
 */
export type DeliveryEvent = (typeof DELIVERY_EVENTS)[number];

/** The next state for each state and event. An event that is missing for a state cannot occur in that state. */
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
