// How long to wait after a round that met nothing but faults of our own: they say nothing of the receiver, so they use
// neither its window nor its schedule (decision: rounds and verdicts).

import { LOCAL_FAULT_FIRST_MS, LOCAL_FAULT_MAX_MS } from "../limits.js";

/** `streak` is how many such rounds came right before this one. */
export function localFaultDelay(streak: number): number {
  return Math.min(LOCAL_FAULT_MAX_MS, LOCAL_FAULT_FIRST_MS * 2 ** streak);
}
