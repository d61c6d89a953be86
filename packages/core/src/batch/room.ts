// Decides whether a further call may be held in memory. Held is what has not come to its end: what waits, what is on its
// way, and what waits for its retry.

import { MAX_CALL_BYTES } from "../limits.js";

/** Calls, and the bytes of their JSON texts. */
export interface Room {
  readonly calls: number;
  readonly bytes: number;
}

/** Whether one more call, of so many bytes, may come in beside those that are held. */
export function hasRoom(held: Room, most: Room, bytes: number = MAX_CALL_BYTES): boolean {
  return held.calls < most.calls && held.bytes + bytes <= most.bytes;
}
