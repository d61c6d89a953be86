// What is known of a request to a store that failed. A rejection without an error code of Postrider counts as `unavailable`: the
// outcome is unknown. Does not say what follows from it.

import type { StoreErrorCode } from "@postrider/core";
import { storeErrorCodeOf } from "@postrider/core/engine";

export interface StoreFault {
  readonly code: StoreErrorCode;
}

/** The fault that a store's rejection stands for. */
export function faultOf(error: unknown): StoreFault {
  return { code: storeErrorCodeOf(error) ?? "unavailable" };
}
