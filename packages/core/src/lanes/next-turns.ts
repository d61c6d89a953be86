// Decides which lanes get the next claim, and how much of it (decision: lanes). For now lanes take plain turns with a
// fixed room each; the shape of the question, and of the answer, is what the relay builds on.

import type { DestinationId, EpochMs } from "../ids.js";
import { MAX_IN_FLIGHT, MAX_LANE_IN_FLIGHT } from "../limits.js";

/** A lane as the decision sees it. */
export interface LaneView {
  readonly lane: DestinationId;
  /** Its deliveries under way. */
  readonly inFlight: number;
  /** When its next delivery can be claimed; absent when none is known. */
  readonly nextDueAt?: EpochMs;
  /** Whether it may be claimed at all: not off, not paused, not gone from the settings. */
  readonly isOpen: boolean;
}

export interface Grant {
  readonly lane: DestinationId;
  readonly limit: number;
}

export interface Turns {
  readonly grants: readonly Grant[];
  /** The lane that was served last; the next decision goes on behind it. */
  readonly last?: DestinationId;
}

/** Grants room to lanes with due work, in turns, beginning behind the lane that was served last. */
export function nextTurns(lanes: readonly LaneView[], last: DestinationId | undefined, now: EpochMs): Turns {
  let room = freeRoom(lanes);
  const grants: Grant[] = [];
  for (const view of beginBehind(lanes, last)) {
    const limit = Math.min(room, laneRoom(view, now));
    if (limit <= 0) continue;
    grants.push({ lane: view.lane, limit });
    room -= limit;
  }
  const served = grants.at(-1)?.lane ?? last;
  return served === undefined ? { grants } : { grants, last: served };
}

/** How many deliveries of a lane may be claimed now. */
export function laneRoom(view: LaneView, now: EpochMs): number {
  const isDue = view.isOpen && view.nextDueAt !== undefined && view.nextDueAt <= now;
  return isDue ? Math.max(0, MAX_LANE_IN_FLIGHT - view.inFlight) : 0;
}

/**
 * When lanes should be looked at again: the earliest due time of those that have room. Undefined when none has; then
 * the next settlement makes room.
 */
export function nextWake(lanes: readonly LaneView[]): EpochMs | undefined {
  if (freeRoom(lanes) <= 0) return undefined;
  const dues = lanes.flatMap((view) =>
    view.isOpen && view.nextDueAt !== undefined && view.inFlight < MAX_LANE_IN_FLIGHT ? [view.nextDueAt] : [],
  );
  return dues.length === 0 ? undefined : (Math.min(...dues) as EpochMs);
}

function freeRoom(lanes: readonly LaneView[]): number {
  return MAX_IN_FLIGHT - lanes.reduce((sum, lane) => sum + lane.inFlight, 0);
}

function beginBehind(lanes: readonly LaneView[], last: DestinationId | undefined): readonly LaneView[] {
  const index = lanes.findIndex((view) => view.lane === last);
  return [...lanes.slice(index + 1), ...lanes.slice(0, index + 1)];
}
