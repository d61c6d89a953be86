// Determines the first state of the deliveries of a new message: reads the state of each lane at that time, and asks
// core which first state follows.

import type { Clock, DestinationId, EpochMs, NewMessage } from "@postrider/core";
import type { LaneBounds, LaneOnArrival } from "@postrider/core/engine";
import { startDelivery } from "@postrider/core/engine";
import type { HandOff } from "../dispatch/hand-off.js";
import type { Lanes } from "../state/lanes.js";

/** The parts from which the state of a lane is read when a delivery arrives. */
export interface ArrivalContext {
  readonly clock: Clock;
  readonly lanes: Lanes;
  readonly laneBounds: LaneBounds;
  readonly handOff: HandOff;
}

/** The first state of one delivery for each destination; `size` is the size of the message's body in bytes. */
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
