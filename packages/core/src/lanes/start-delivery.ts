// Decides how a new delivery starts out in its lane (decision: full lanes): it waits, due at once, unless its lane is
// full; then it is dead from the start, body kept, to be replayed later. A full lane refuses no call.

import type { EpochMs } from "../ids.js";
import type { Start } from "../ports/delivery-store.js";

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

/** The start of a delivery whose body has `size` bytes. */
export function startDelivery(load: LaneLoad, size: number, bounds: LaneBounds, now: EpochMs): Start {
  const fits = load.deliveries < bounds.maxDeliveries && load.bytes + size <= bounds.maxBytes;
  return fits ? { kind: "waiting", dueAt: now } : { kind: "dead", reason: "lane-full" };
}
