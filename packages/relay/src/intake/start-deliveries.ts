// How the deliveries of a new message start out, each as its lane is found when it comes. What that means for them is
// decided by core.

import type { DestinationId, EpochMs, NewMessage } from "@postrider/core";
import type { LaneOnArrival } from "@postrider/core/engine";
import { startDelivery } from "@postrider/core/engine";
import type { RelayContext } from "../context.js";

/** What says how a lane is when a delivery comes. */
export type ArrivalContext = Pick<RelayContext, "clock" | "lanes" | "laneBounds" | "handOff">;

/** One for each destination; `size` is that of the message's body in bytes. */
export function startDeliveries(
  context: ArrivalContext,
  destinations: readonly DestinationId[],
  { size, now }: { readonly size: number; readonly now: EpochMs },
): NewMessage["deliveries"] {
  return destinations.map((destination) => ({
    destination,
    start: startDelivery(laneOnArrival(context, destination), size, now),
  }));
}

/** A lane as a new delivery finds it. */
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
