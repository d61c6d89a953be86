// Decides how a new delivery starts out in its lane (decisions: full lanes, hand-off, shares): claimed by the process that
// stores it, if the lane has room and nothing is due there; else it waits, due at once. Where the lane is full it is dead from
// the start, body kept, to be replayed later: a full lane refuses no call.

import type { EpochMs, MonoMs } from "../ids.js";
import type { Start } from "../delivery/settlement.js";
import { FIRST_LANE_IN_FLIGHT, LINE_PER_PLACE, RESERVED_IN_FLIGHT } from "../limits.js";
import { freeFor } from "./lane-share.js";
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
  /** How many deliveries of all lanes together may still be begun: none where this process does not deliver. */
  readonly free: number;
  /** Whether another lane waits for its turn: then no delivery stands in line. */
  readonly isContended: boolean;
  readonly at: MonoMs;
}

/** The start of a delivery whose body has `size` bytes. */
export function startDelivery(arrival: LaneOnArrival, size: number, now: EpochMs): Start {
  const { lane, bounds } = arrival;
  const fits = lane.deliveries < bounds.maxDeliveries && lane.bytes + size <= bounds.maxBytes;
  if (!fits) return { kind: "dead", reason: "lane-full" };
  return mayHandOff(arrival, now) ? { kind: "claimed" } : { kind: "waiting", dueAt: now };
}

function mayHandOff(arrival: LaneOnArrival, now: EpochMs): boolean {
  const { lane, free, at } = arrival;
  const { isOpen, inFlight, pace, rateLimit, tokens } = lane;
  if (!isOpen || free < freeFor(inFlight)) return false;
  if (rateLimit !== undefined && tokensLeft(rateLimit, tokens, at) <= 0) return false;
  return pace.hold === undefined ? mayJoin(arrival, now) : inFlight === 0 && at >= pace.hold.freshAt;
}

/** Whether it may be under way beside the others of its lane, or stand in line. */
function mayJoin({ lane, free, isContended }: LaneOnArrival, now: EpochMs): boolean {
  const { inFlight, pace, rateLimit } = lane;
  const isBehind = isDue(lane, now);
  // What is due has come before, and goes first.
  if (isBehind && !lane.isAsked) return false;
  if (inFlight < pace.limit) return true;
  const mayQueue = !isBehind && !isContended && rateLimit === undefined && free > RESERVED_IN_FLIGHT;
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
