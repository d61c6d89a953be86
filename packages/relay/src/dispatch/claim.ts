// A claimed delivery under way, with the lease that proves the claim, its slot and its entry in its lane; its facts for events;
// and the hand-off of new deliveries, which the dispatcher takes without reading them from the store (decision: hand-off).

import type { ClaimedDelivery } from "@postrider/core";
import type { LaneEntry } from "../lanes/lane.js";
import type { Slot } from "../lanes/slots.js";
import type { HeldLease } from "../commits/lease.js";
import type { DeliveryInEvent } from "../relay-event.js";
import type { Lanes } from "../lanes/lanes.js";

/** The delivery as the store returned it, without its lease, which may change. */
export type HeldDelivery = Omit<ClaimedDelivery, "leaseUntil">;

export interface Claim {
  readonly delivery: HeldDelivery;
  /**
   * The latest lease. If a clock step ends a lease during a round and this process claims the delivery again, the round
   * continues under the new lease.
   */
  lease: HeldLease;
  readonly slot: Slot;
  readonly entry: LaneEntry;
}

/** The facts of a delivery for an event: ids, codes and times only. */
export function factsOf(delivery: HeldDelivery): DeliveryInEvent {
  const { id, lane, source, type, messageId, acceptedAt, rounds, traceparent } = delivery;
  const facts = { delivery: id, destination: lane, source, type, messageId, acceptedAt, rounds };
  return traceparent === undefined ? facts : { ...facts, traceparent };
}

export interface HandOff {
  /** The number of further deliveries that may be handed off: 0 while this process does not deliver. */
  freeSlots(): number;
  give(claim: Claim): void;
  /** Allows use of the free slots of the lanes; `take` then gets each claim that is given. */
  open(take: (claim: Claim) => void): void;
  /** Makes `freeSlots` return 0. A claim that is given nevertheless goes to the last `take`. */
  close(): void;
}

export function createHandOff(lanes: Lanes): HandOff {
  let taker: ((claim: Claim) => void) | undefined;
  let isOpen = false;
  return {
    freeSlots: () => (isOpen ? lanes.freeSlots() : 0),
    give: (claim): void => {
      taker?.(claim);
    },
    open: (take): void => {
      taker = take;
      isOpen = true;
    },
    close: (): void => {
      isOpen = false;
    },
  };
}
