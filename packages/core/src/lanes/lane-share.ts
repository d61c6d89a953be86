// Decides how many of the slots of all lanes one lane may have: a multiple of the free slots (decision: slot shares). As with the
// shared memory of a switch (Choudhury and Hahne, 1998), a single lane gets nearly all slots, many lanes get equal shares, and
// some slots stay free for lanes that have none yet. Must not know any other lane.

import { SHARE_FACTOR } from "../limits.js";

/** How many more slots a lane with `inFlight` deliveries may take while `free` slots are left for all lanes; at most `free`. */
export function slotsInShare(inFlight: number, free: number): number {
  // Each slot that it takes is one more for the lane and one less that is free.
  return Math.max(0, Math.ceil((SHARE_FACTOR * free - inFlight) / (SHARE_FACTOR + 1)));
}

/** How many slots must be free for a lane with `inFlight` deliveries to take one more. */
export function freeSlotsNeeded(inFlight: number): number {
  return Math.floor(inFlight / SHARE_FACTOR) + 1;
}
