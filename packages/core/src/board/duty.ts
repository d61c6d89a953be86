// Picks the one process of a store that does work for which one is enough (decision: lane board). For a while, two processes or
// none may be on duty: work under this rule must bear both.

import type { ProcessId } from "../ids.js";

/** True if this process is on duty: it is in `living`, and the first of them by its id. */
export function isOnDuty(process: ProcessId, living: readonly ProcessId[]): boolean {
  return living.includes(process) && living.every((id) => process <= id);
}
