// Where a fresh delivery changes hands: intake, which stored it as claimed, gives it, and the dispatcher takes it, without a
// way through the store's queue (decision: hand-off).

import type { Lanes } from "../state/lanes.js";
import type { Claim } from "./claim.js";

export interface HandOff {
  /** How many more deliveries may be begun: none while this process does not deliver. */
  freeSlots(): number;
  give(claim: Claim): void;
  /** From now on there is room, and `take` gets what is given. */
  open(take: (claim: Claim) => void): void;
  /** No slot is free any more; a claim that is given all the same still goes to the last `take`. */
  close(): void;
}

export function createHandOff(lanes: Lanes): HandOff {
  let taker: ((claim: Claim) => void) | undefined;
  let isOpen = false;
  return {
    freeSlots: () => (isOpen ? lanes.freeSlots() : 0),
    give: (claim): void => {
      taker?.(claim);
    },
    open: (take): void => {
      taker = take;
      isOpen = true;
    },
    close: (): void => {
      isOpen = false;
    },
  };
}
