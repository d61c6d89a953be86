// Decides how many of the places of all lanes one of them may have: a multiple of what is free (decision: shares). As in the
// memory of a switch that its ports share (Choudhury and Hahne, 1998), a lane that is alone has nearly all that it wants, lanes
// that are many come to equal shares, and some places stay free for a lane that has none yet. Knows no lane but the one asked for.

import { SHARE_OF_FREE } from "../limits.js";

/** How many more a lane may take that has `inFlight`, where `free` are left for all: at most `free`. */
export function shareLeft(inFlight: number, free: number): number {
  // Each that it takes is one more for the lane and one less that is free.
  return Math.max(0, Math.ceil((SHARE_OF_FREE * free - inFlight) / (SHARE_OF_FREE + 1)));
}

/** How many must be free for a lane that has `inFlight` to take another one. */
export function freeFor(inFlight: number): number {
  return Math.floor(inFlight / SHARE_OF_FREE) + 1;
}
