// The fault that a host is given when a store failed: it says whether to ask again, and no more about the store.

import type { RelayFault } from "../fault.js";
import type { StoreFault } from "./store-fault.js";

/**
 * Turns a fault of a store into the fault for the host. A store that stayed busy, or that is full, is `unavailable`.
 */
export function toRelayFault({ code }: StoreFault): RelayFault {
  return { code: code === "corrupt" ? "corrupt" : "unavailable" };
}
