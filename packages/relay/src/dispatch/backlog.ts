// Claimed deliveries that wait in memory until a round of their lane ends (decision: hand-off). First in, first out, for
// each lane. Their number is bounded by the code that adds them. Decides nothing.

import type { DestinationId } from "@postrider/core";
import type { Claim } from "./claim.js";

export interface Backlog {
  add(claim: Claim): void;
  /** Removes and returns the first claim of a lane; undefined if there is none. */
  next(lane: DestinationId): Claim | undefined;
  /** Removes and returns the claims of all lanes. */
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
