// Picks the one process of a store that does work for which one is enough (decision: lane board). For a while, two may think so, or none
// does: work under this rule must bear both.

import type { ProcessId } from "../ids.js";

/** True if this process is on duty: of those that live, it is the first by its id. `living` has it, or it does not live. */
export function isOnDuty(process: ProcessId, living: readonly ProcessId[]): boolean {
  return living.includes(process) && living.every((id) => process <= id);
}
