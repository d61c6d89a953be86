// Decides how a new delivery starts out in its lane (decisions: full lanes, hand-off): claimed by whoever stores it, if
// the lane has room and nobody waits there; else it waits, due at once. Where the lane is full it is dead from the start,
// body kept, to be replayed later: a full lane refuses no call.

import type { EpochMs, MonoMs } from "../ids.js";
import type { Start } from "../ports/changes.js";
import { FIRST_LANE_IN_FLIGHT, LINE_PER_PLACE, RESERVED_IN_FLIGHT } from "../limits.js";
import type { LaneState } from "./lane-state.js";
import type { Pace } from "./pace.js";
import { tokensLeft } from "./tokens.js";

/** What a lane may hold. */
export interface LaneBounds {
  readonly maxDeliveries: number;
  readonly maxBytes: number;
}

/** A lane as a new delivery finds it. */
export interface LaneOnArrival {
  readonly lane: LaneState;
  readonly bounds: LaneBounds;
  /** How many deliveries of all lanes together may still be begun: none where nobody delivers. */
  readonly room: number;
  readonly at: MonoMs;
}

/** The start of a delivery whose body has `size` bytes. */
export function startDelivery(arrival: LaneOnArrival, size: number, now: EpochMs): Start {
  const { lane, bounds } = arrival;
  const fits = lane.deliveries < bounds.maxDeliveries && lane.bytes + size <= bounds.maxBytes;
  if (!fits) return { kind: "dead", reason: "lane-full" };
  return mayHandOff(arrival, now) ? { kind: "claimed" } : { kind: "waiting", dueAt: now };
}

/** While a lane is held only a probe goes out, and that is claimed. */
function mayHandOff({ lane, room, at }: LaneOnArrival, now: EpochMs): boolean {
  const { isOpen, inFlight, pace, rateLimit, tokens } = lane;
  if (!isOpen || room <= 0 || pace.hold !== undefined) return false;
  const somebodyWaits = isDue(lane, now);
  // Whoever waits has come before, and goes first.
  if (somebodyWaits && !lane.isAsked) return false;
  if (rateLimit !== undefined && tokensLeft(rateLimit, tokens, at) <= 0) return false;
  if (inFlight < pace.limit) return true;
  const mayQueue = !somebodyWaits && rateLimit === undefined && room > RESERVED_IN_FLIGHT;
  return mayQueue && inFlight < pace.limit + lineOf(pace);
}

function isDue({ nextDueAt }: LaneState, now: EpochMs): boolean {
  return nextDueAt !== undefined && nextDueAt <= now;
}

/**
 * How many fresh deliveries may stand in line for a lane, behind those whose round has begun: a burst then needs no way
 * through the store. None, before the receiver has shown that it answers; later not more than what it has answered in no
 * time, so that their leases last.
 */
function lineOf({ limit }: Pace): number {
  return Math.max(0, limit - FIRST_LANE_IN_FLIGHT) * LINE_PER_PLACE;
}
