// What a host hears of a store that failed: whether to ask again, and nothing of how stores work inside.

import type { RelayFault } from "../fault.js";
import type { StoreFault } from "./storage.js";

/** A store that stayed busy, or is full, is as good as unavailable to somebody who wants to read or replay. */
export function relayFault({ code }: StoreFault): RelayFault {
  return { code: code === "corrupt" ? "corrupt" : "unavailable" };
}
