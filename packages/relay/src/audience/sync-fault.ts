// Turns a fault of the parts of a sync into the fault that the host is given.

import { toRelayFault } from "../fault.js";
import type { SyncFault } from "./audiences.js";
import type { EraseFault } from "./erase-fault.js";
import type { SyncLeaseFault } from "./sync-lease.js";

export function toSyncFault(fault: SyncLeaseFault | EraseFault): SyncFault {
  switch (fault.code) {
    case "sync-running":
    case "unknown-audience":
    case "stopped":
      return { code: fault.code };
    case "busy":
    case "full":
    case "corrupt":
    case "unavailable":
      return toRelayFault({ code: fault.code });
  }
}
