// The fault that a host is given when a store failed: it says whether to ask again, and nothing about the inside of stores.

import type { RelayFault } from "../fault.js";
import type { StoreFault } from "./storage.js";

/** For a caller that reads or replays, a store that stayed busy or is full is unavailable. */
export function relayFault({ code }: StoreFault): RelayFault {
  return { code: code === "corrupt" ? "corrupt" : "unavailable" };
}
