// Decides how a new delivery starts out in its lane (decisions: full lanes, hand-off): claimed by whoever stores it, if
// the lane has room and nobody waits there; else it waits, due at once. Where the lane is full it is dead from the start,
// body kept, to be replayed later: a full lane refuses no call.

import type { EpochMs } from "../ids.js";
import { MAX_LANE_IN_FLIGHT } from "../limits.js";
import type { Start } from "../ports/changes.js";
import type { LaneView } from "./next-turns.js";

/** What a lane holds: its unfinished deliveries, and the bytes of their bodies. */
export interface LaneLoad {
  readonly deliveries: number;
  readonly bytes: number;
}

/** What a lane may hold. */
export interface LaneBounds {
  readonly maxDeliveries: number;
  readonly maxBytes: number;
}

/** A lane as a new delivery finds it. */
export interface LaneOnArrival {
  readonly load: LaneLoad;
  readonly bounds: LaneBounds;
  readonly view: LaneView;
  /** How many deliveries of all lanes together may still be begun: none where nobody delivers. */
  readonly room: number;
}

/** The start of a delivery whose body has `size` bytes. */
export function startDelivery(lane: LaneOnArrival, size: number, now: EpochMs): Start {
  const { load, bounds } = lane;
  const fits = load.deliveries < bounds.maxDeliveries && load.bytes + size <= bounds.maxBytes;
  if (!fits) return { kind: "dead", reason: "lane-full" };
  return mayHandOff(lane, now) ? { kind: "claimed" } : { kind: "waiting", dueAt: now };
}

/** Whoever waits has come before, and is due first. */
function mayHandOff({ view, room }: LaneOnArrival, now: EpochMs): boolean {
  const somebodyWaits = view.nextDueAt !== undefined && view.nextDueAt <= now;
  return view.isOpen && room > 0 && view.inFlight < MAX_LANE_IN_FLIGHT && !somebodyWaits;
}
