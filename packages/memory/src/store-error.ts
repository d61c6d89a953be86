// The errors that a store rejects with.

import type { StoreError, StoreErrorCode } from "@postrider/core";

export function storeError(code: StoreErrorCode, message: string): StoreError {
  return Object.assign(new Error(message), { code });
}
