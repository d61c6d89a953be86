// Decides how the room there is goes to the lanes that are ready (decision: lanes). They have their turns one after the other,
// a bounded number of deliveries each, until no room is left or nobody wants more; a turn that the room cuts short goes on
// when there is more. So between two turns of a lane every other lane has at most one, whatever it holds. Must not know of
// lanes that are not ready: there may be thousands.

import type { DestinationId } from "../ids.js";
import { TURN_DELIVERIES } from "../limits.js";

/** A lane that may have its turn. */
export interface ReadyLane {
  readonly lane: DestinationId;
  /** How many deliveries it could make use of. */
  readonly places: number;
  /** What is left of a turn that was cut short; 0 if it has a whole one. */
  readonly owed: number;
}

export interface Grant {
  readonly lane: DestinationId;
  readonly limit: number;
}

export interface Turns {
  /** In the order of their last turn, which is the order in which they stand behind whoever had none. */
  readonly grants: readonly Grant[];
  /** The lane for whose last turn there was too little room: it stays where it is, and has the rest next. */
  readonly cutShort?: { readonly lane: DestinationId; readonly owed: number };
}

export interface TurnTerms {
  /** For all lanes together. */
  readonly room: number;
  /** That no further lane is ready: if one is, nobody has a second turn. */
  readonly isAll: boolean;
}

/** Grants to lanes in the order of their turns. */
export function nextTurns(ready: readonly ReadyLane[], { room, isAll }: TurnTerms): Turns {
  const granted = new Map<DestinationId, number>();
  let round = giveTurns(ready, granted, room);
  let wanting = ready;
  while (isAll && round.left > 0 && (wanting = wantMore(wanting, granted)).length > 0) {
    round = giveTurns(wanting, granted, round.left);
  }
  const grants = Array.from(granted, ([lane, limit]) => ({ lane, limit }));
  return round.cutShort === undefined ? { grants } : { grants, cutShort: round.cutShort };
}

interface Round extends Pick<Turns, "cutShort"> {
  readonly left: number;
}

/** One turn for each, as long as there is room. */
function giveTurns(lanes: readonly ReadyLane[], granted: Map<DestinationId, number>, room: number): Round {
  let left = room;
  for (const { lane, places, owed } of lanes) {
    if (left <= 0) break;
    const had = granted.get(lane) ?? 0;
    const turn = had === 0 && owed > 0 ? owed : TURN_DELIVERIES;
    const wanted = Math.min(turn, places - had);
    if (wanted <= 0) continue;
    const given = Math.min(wanted, left);
    // Set anew, it stands last.
    granted.delete(lane);
    granted.set(lane, had + given);
    if (given < wanted) return { left: 0, cutShort: { lane, owed: turn - given } };
    left -= given;
  }
  return { left };
}

function wantMore(lanes: readonly ReadyLane[], granted: ReadonlyMap<DestinationId, number>): readonly ReadyLane[] {
  return lanes.filter(({ lane, places }) => (granted.get(lane) ?? 0) < places);
}
