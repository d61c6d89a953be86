// Decides how the places that are free go to the lanes that are ready (decisions: lanes, shares). They have their turns one
// after the other, a bounded number of deliveries each and none beyond its share, until none can use more. So between two turns
// of a lane every other lane has at most one, whatever it holds. Must not know of lanes that are not ready: there may be thousands.

import type { DestinationId } from "../ids.js";
import { TURN_DELIVERIES } from "../limits.js";
import { shareLeft } from "./lane-share.js";

/** A lane that may have its turn. */
export interface ReadyLane {
  readonly lane: DestinationId;
  /** How many deliveries it could make use of. */
  readonly places: number;
  /** How many it has under way. */
  readonly inFlight: number;
}

export interface Grant {
  readonly lane: DestinationId;
  readonly limit: number;
}

export interface TurnTerms {
  /** Places for all lanes together. */
  readonly free: number;
  /** That no further lane is ready: if one is, no lane has a second turn. */
  readonly isAll: boolean;
}

/** Grants in the order of the last turn of each lane, in which they stand behind those that had none. */
export function nextTurns(ready: readonly ReadyLane[], { free, isAll }: TurnTerms): readonly Grant[] {
  const granted = new Map<DestinationId, number>();
  let left = giveTurns(ready, granted, free);
  for (let before = free; isAll && left < before;) {
    before = left;
    left = giveTurns(ready, granted, left);
  }
  return Array.from(granted, ([lane, limit]) => ({ lane, limit }));
}

/** One turn for each, as far as its share goes. Answers what is left. */
function giveTurns(lanes: readonly ReadyLane[], granted: Map<DestinationId, number>, free: number): number {
  let left = free;
  for (const { lane, places, inFlight } of lanes) {
    const had = granted.get(lane) ?? 0;
    const given = Math.min(TURN_DELIVERIES, places - had, shareLeft(inFlight + had, left));
    if (given <= 0) continue;
    // Set anew, it stands last.
    granted.delete(lane);
    granted.set(lane, had + given);
    left -= given;
  }
  return left;
}
