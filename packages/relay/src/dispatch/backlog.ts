// Deliveries that are ours already and wait, in memory, for a round of their lane to end (decision: hand-off). First come,
// first served, lane by lane; how many there may be was decided when they came. Decides nothing.

import type { DestinationId } from "@postrider/core";
import type { Claim } from "./claim.js";

export interface Backlog {
  add(claim: Claim): void;
  /** Takes out the first of a lane; undefined if there is none. */
  next(lane: DestinationId): Claim | undefined;
  /** Takes out all, of all lanes. */
  clear(): readonly Claim[];
}

export function createBacklog(): Backlog {
  const lanes = new Map<DestinationId, Claim[]>();
  return {
    add: (claim): void => {
      const waiting = lanes.get(claim.delivery.lane);
      if (waiting === undefined) lanes.set(claim.delivery.lane, [claim]);
      else waiting.push(claim);
    },
    next: (lane) => {
      const waiting = lanes.get(lane);
      const first = waiting?.shift();
      if (waiting?.length === 0) lanes.delete(lane);
      return first;
    },
    clear: () => {
      const claims = [...lanes.values()].flat();
      lanes.clear();
      return claims;
    },
  };
}
