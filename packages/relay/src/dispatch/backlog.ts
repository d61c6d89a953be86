// Deliveries that are ours already and wait, in memory, for a round of their lane to end (decision: hand-off). First come,
// first served, lane by lane; how many there may be was decided when they came. Decides nothing.

import type { DestinationId } from "@postrider/core";
import type { Claim } from "./claim.js";

export interface Backlog {
  add(claim: Claim): void;
  /** Takes out the first of a lane; undefined if nobody stands there. */
  next(lane: DestinationId): Claim | undefined;
  /** Takes out all, of all lanes. */
  clear(): readonly Claim[];
}

export function createBacklog(): Backlog {
  const lines = new Map<DestinationId, Claim[]>();
  return {
    add: (claim): void => {
      const line = lines.get(claim.delivery.lane);
      if (line === undefined) lines.set(claim.delivery.lane, [claim]);
      else line.push(claim);
    },
    next: (lane) => {
      const line = lines.get(lane);
      const first = line?.shift();
      if (line?.length === 0) lines.delete(lane);
      return first;
    },
    clear: () => {
      const claims = [...lines.values()].flat();
      lines.clear();
      return claims;
    },
  };
}
