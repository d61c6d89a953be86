// The error with which a store rejects: its code says what may have happened (see `StoreErrorCode`).

import type { StoreError, StoreErrorCode } from "./ports/delivery-store.js";

/** Creates the error with which a store rejects. `cause`: the error of the driver or of the file system. */
export function createStoreError(code: StoreErrorCode, message: string, cause?: unknown): StoreError {
  return Object.assign(new Error(message, cause === undefined ? {} : { cause }), { code });
}
