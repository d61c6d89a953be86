// Decides how many slots one lane may have: a multiple of the slots that are free (decision: slot shares). As with the shared
// memory of a switch (Choudhury and Hahne, 1998), a single lane gets nearly all slots, many lanes get equal shares, and some
// slots stay free for lanes that have no slot yet. Must not know any other lane.

import { MAX_SLOTS_PER_FREE_SLOT } from "../limits.js";

/** How many more slots a lane with `inFlight` deliveries may take if `free` slots are free. At most `free`. */
export function slotsInShare(inFlight: number, free: number): number {
  // Each slot that the lane takes is one more slot of the lane, and one free slot less.
  return Math.max(0, Math.ceil((MAX_SLOTS_PER_FREE_SLOT * free - inFlight) / (MAX_SLOTS_PER_FREE_SLOT + 1)));
}

/** How many slots must be free for a lane with `inFlight` deliveries to take one more. */
export function freeSlotsNeeded(inFlight: number): number {
  return Math.floor(inFlight / MAX_SLOTS_PER_FREE_SLOT) + 1;
}
