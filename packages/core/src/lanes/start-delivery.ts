// Decides the first state of a new delivery (decisions: full lanes, hand-off, slot shares): claimed by the process that
// stores it, if it may start now or wait in the queue of its lane; otherwise waiting and due at once. If the lane is full,
// the delivery is dead at once, and its body is kept for a replay: a full lane refuses no call.

import type { EpochMs, MonoMs } from "../ids.js";
import type { InitialState } from "../delivery/delivery.js";
import { FIRST_LANE_IN_FLIGHT, MIN_FREE_TO_QUEUE, QUEUED_PER_SLOT } from "../limits.js";
import { freeSlotsNeeded, lacksProbe, type LaneState, startableByRate, usableLimit } from "./lane-state.js";

/** The capacity of a lane. */
export interface LaneBounds {
  readonly maxDeliveries: number;
  readonly maxBytes: number;
}

/** The state of a lane when a new delivery arrives. */
export interface LaneOnArrival {
  readonly lane: LaneState;
  readonly bounds: LaneBounds;
  /** Free slots of all lanes together; 0 if this process does not deliver. */
  readonly free: number;
  /** True if another lane waits for its turn. If so, no delivery is queued in memory. */
  readonly isContended: boolean;
  /** The instant of the arrival on the monotonic clock. */
  readonly at: MonoMs;
}

/** The first state of a delivery whose body has `size` bytes. */
export function startDelivery(arrival: LaneOnArrival, size: number, now: EpochMs): InitialState {
  const { lane, bounds } = arrival;
  const fits = lane.deliveries < bounds.maxDeliveries && lane.bytes + size <= bounds.maxBytes;
  if (!fits) return { kind: "dead", reason: "lane-full" };
  return mayHandOff(arrival, now) ? { kind: "claimed" } : { kind: "waiting", dueAt: now };
}

function mayHandOff(arrival: LaneOnArrival, now: EpochMs): boolean {
  const { lane, free, at } = arrival;
  const { isOpen, inFlight, pace } = lane;
  if (!isOpen || free < freeSlotsNeeded(inFlight)) return false;
  if (startableByRate(lane, at) <= 0) return false;
  if (pace.backoff === undefined) return mayRunOrQueue(arrival, now);
  return inFlight === 0 && (lane.onBoard === undefined ? at >= pace.backoff.freshAt : mayProbe(lane, at));
}

/** True if the new delivery may be sent as the probe that this process has taken, or to look at the addresses again. */
function mayProbe(lane: LaneState, at: MonoMs): boolean {
  const { backoff } = lane.pace;
  return backoff?.reason === "blocked" ? at >= backoff.freshAt : !lacksProbe(lane, at);
}

/** True if the new delivery may take a slot of its lane, or wait in the queue of the lane. */
function mayRunOrQueue({ lane, free, isContended }: LaneOnArrival, now: EpochMs): boolean {
  const { inFlight, rateLimit } = lane;
  const limit = usableLimit(lane);
  const hasDue = isDue(lane, now);
  // Deliveries that are due arrived earlier and start first. A claim in flight has reserved slots for them already.
  if (hasDue && !lane.isClaiming) return false;
  if (inFlight < limit) return true;
  const mayQueue = !hasDue && !isContended && rateLimit === undefined && free > MIN_FREE_TO_QUEUE;
  return mayQueue && inFlight < limit + queueLimit(limit);
}

function isDue({ nextDueAt }: LaneState, now: EpochMs): boolean {
  return nextDueAt !== undefined && nextDueAt <= now;
}

/**
 * The number of fresh deliveries that may wait in the queue of a lane in addition to those that have slots, so that a burst need not be
 * claimed from the store. 0 until the limit has grown, that is, until the receiver has answered; later twice the growth, so that the queued
 * deliveries start before their leases end.
 */
function queueLimit(limit: number): number {
  return Math.max(0, limit - FIRST_LANE_IN_FLIGHT) * QUEUED_PER_SLOT;
}
