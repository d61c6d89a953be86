// Decides the delay after a round with only local faults. Local faults say nothing about the receiver, so these rounds use
// neither the retry window nor the schedule (decision: local faults).

import { LOCAL_FAULT_FIRST_MS, LOCAL_FAULT_MAX_MS } from "../limits.js";

/**
 * The delay in milliseconds: 1 s doubled `streak` times, at most 60 s. `streak` counts the local rounds right before this
 * one.
 */
export function localFaultDelay(streak: number): number {
  return Math.min(LOCAL_FAULT_MAX_MS, LOCAL_FAULT_FIRST_MS * 2 ** streak);
}
