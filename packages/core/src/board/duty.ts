// Decides which of the processes on a store does what one of them is enough for (decision: lane board). Two may think so for a while,
// or none: what is done under this rule must bear both.

import type { ProcessId } from "../ids.js";

/** True if this process is on duty: of those that live, it is the first by its id. `living` has it, or it does not live. */
export function isOnDuty(process: ProcessId, living: readonly ProcessId[]): boolean {
  return living.includes(process) && living.every((other) => process <= other);
}
