// Says which faults end a request: those of a store, and those that a host is given, which say whether to ask again and no more
// about the store. A store's rejection without an error code of Postrider counts as `unavailable`: the outcome is unknown.

import type { StoreErrorCode } from "@postrider/core";
import { storeErrorCodeOf } from "@postrider/core/engine";

/**
 * `unavailable`: it is not known whether the request took effect. It may be repeated; a call with a messageId that was
 * stored is then a duplicate.
 */
export interface RelayFault {
  readonly code: "unavailable" | "corrupt" | "stopped";
}

export interface StoreFault {
  readonly code: StoreErrorCode;
}

/** The fault that a store's rejection stands for. */
export function faultOf(error: unknown): StoreFault {
  return { code: storeErrorCodeOf(error) ?? "unavailable" };
}

/**
 * Turns a fault of a store into the fault for the host. A store that stayed busy, or that is full, is `unavailable`.
 */
export function toRelayFault({ code }: StoreFault): RelayFault {
  return { code: code === "corrupt" ? "corrupt" : "unavailable" };
}
