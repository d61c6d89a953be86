// The hand-off of new deliveries: intake gives each delivery that it has stored as claimed, and the dispatcher takes it
// without reading it from the store (decision: hand-off).

import type { Lanes } from "../state/lanes.js";
import type { Claim } from "./claim.js";

export interface HandOff {
  /** How many more deliveries may be handed off: 0 while this process does not deliver. */
  freeSlots(): number;
  give(claim: Claim): void;
  /** From now on the free slots of the lanes may be used, and `take` gets each claim that is given. */
  open(take: (claim: Claim) => void): void;
  /** From now on `freeSlots` answers 0. A claim that is given nevertheless goes to the last `take`. */
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
