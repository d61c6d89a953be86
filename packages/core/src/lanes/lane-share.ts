// Decides how many of the slots of all lanes one lane may have: a multiple of the free slots (decision: slot shares). As with the
// shared memory of a switch (Choudhury and Hahne, 1998), a single lane gets nearly all slots, many lanes get equal shares, and
// some slots stay free for lanes that have none yet. Must not know any other lane.

import { MAX_SLOTS_PER_FREE_SLOT } from "../limits.js";

/** How many more slots a lane with `inFlight` deliveries may take while `free` slots are left for all lanes; at most `free`. */
export function slotsInShare(inFlight: number, free: number): number {
  // Each slot that it takes is one more for the lane and one less that is free.
  return Math.max(0, Math.ceil((MAX_SLOTS_PER_FREE_SLOT * free - inFlight) / (MAX_SLOTS_PER_FREE_SLOT + 1)));
}

/** How many slots must be free for a lane with `inFlight` deliveries to take one more. */
export function freeSlotsNeeded(inFlight: number): number {
  return Math.floor(inFlight / MAX_SLOTS_PER_FREE_SLOT) + 1;
}
