// The table of a delivery's life: which event leads from which state to which. What is not in it cannot happen.
// docs/delivery-states.md is written from this table.

import type { DeliveryState } from "./delivery.js";

export const DELIVERY_EVENTS = ["claimed", "delivered", "rescheduled", "released", "died", "ended"] as const;

/**
 * claimed: its turn has come, or its lease has ended and another claim takes it · delivered: an endpoint took it ·
 * rescheduled: a round failed, another follows · released: claimed, but no round took place · died: a round, or the
 * window, was the last · ended: the host gave its lane up, its window ended while nobody may claim it, or its user was
 * deleted.
 */
export type DeliveryEvent = (typeof DELIVERY_EVENTS)[number];

/** Where each event leads from each state; where nothing stands, the event cannot come. */
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

/** The state that an event leads to, or undefined where it cannot come. */
export function nextState(state: DeliveryState, event: DeliveryEvent): DeliveryState | undefined {
  return DELIVERY_TABLE[state][event];
}
