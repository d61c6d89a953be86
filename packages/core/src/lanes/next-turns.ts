// Decides how free slots are granted to the lanes that are ready (decisions: lanes, slot shares). The lanes take turns, with a
// bounded number of deliveries per turn and within their shares, until no lane can use more. So between two turns of a
// lane every other lane has at most one turn, regardless of its backlog.

import type { DestinationId } from "../ids.js";
import { MAX_CLAIMED_DELIVERIES, MAX_DELIVERIES_PER_TURN } from "../limits.js";
import { slotsInShare } from "./lane-state.js";

/** A lane that may be claimed from. */
export interface ReadyLane {
  readonly lane: DestinationId;
  /** The number of further slots that the lane can use. */
  readonly slots: number;
  /** Its deliveries in flight. */
  readonly inFlight: number;
}

/** The number of deliveries that may be claimed from a lane now. */
export interface ClaimGrant {
  readonly lane: DestinationId;
  readonly limit: number;
}

/** The slots to grant. */
export interface SlotSupply {
  /** Free slots of all lanes together. */
  readonly free: number;
  /** True if the input has all lanes that are ready. If not, no lane gets a second turn. */
  readonly isAll: boolean;
}

/**
 * The grants, ordered by the last turn of each lane; lanes without a turn have no grant. Together they are for
 * `MAX_CLAIMED_DELIVERIES` at most.
 */
export function nextTurns(ready: readonly ReadyLane[], { free, isAll }: SlotSupply): readonly ClaimGrant[] {
  const granted = new Map<DestinationId, number>();
  const reserve = Math.max(free - MAX_CLAIMED_DELIVERIES, 0);
  let remaining = giveTurns(ready, granted, { free, reserve });
  for (let freeBefore = free; isAll && remaining < freeBefore;) {
    freeBefore = remaining;
    remaining = giveTurns(ready, granted, { free: remaining, reserve });
  }
  return Array.from(granted, ([lane, limit]) => ({ lane, limit }));
}

/** The free slots, and how many of these stay free for later claims. */
interface Supply {
  readonly free: number;
  readonly reserve: number;
}

/** Gives one turn to each lane, within its share. Returns the slots that are left. */
function giveTurns(
  lanes: readonly ReadyLane[],
  granted: Map<DestinationId, number>,
  { free, reserve }: Supply,
): number {
  let remaining = free;
  for (const { lane, slots, inFlight } of lanes) {
    const grantedSlots = granted.get(lane) ?? 0;
    const count = Math.min(
      MAX_DELIVERIES_PER_TURN,
      slots - grantedSlots,
      slotsInShare(inFlight + grantedSlots, remaining),
      remaining - reserve,
    );
    if (count <= 0) continue;
    // Deleted and set again, so that the lane comes last in the order of the map.
    granted.delete(lane);
    granted.set(lane, grantedSlots + count);
    remaining -= count;
  }
  return remaining;
}
