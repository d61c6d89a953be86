// Decides the delay after a round with only local faults. They say nothing of the receiver, so such rounds use neither the
// retry window nor the schedule (decision: local faults).

import { LOCAL_FAULT_FIRST_MS, LOCAL_FAULT_MAX_MS } from "../limits.js";

/** The delay in milliseconds: 1 s doubled `streak` times, at most 60 s. `streak` is the number of such rounds right before. */
export function localFaultDelay(streak: number): number {
  return Math.min(LOCAL_FAULT_MAX_MS, LOCAL_FAULT_FIRST_MS * 2 ** streak);
}
