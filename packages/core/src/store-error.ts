// The error with which a store rejects: its code names the possible effects (see `StoreErrorCode`).

import type { StoreError, StoreErrorCode } from "./ports/delivery-store.js";

/** Creates the error with which a store rejects. `cause`: the error of the driver or of the file system. */
export function createStoreError(code: StoreErrorCode, message: string, cause?: unknown): StoreError {
  return Object.assign(new Error(message, cause === undefined ? {} : { cause }), { code });
}

/** The code of the error with which a store has rejected, or undefined if it has none of the port's codes. */
export function storeErrorCodeOf(error: unknown): StoreErrorCode | undefined {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return CODES.find((candidate) => candidate === code);
}

const CODES: readonly StoreErrorCode[] = ["busy", "full", "corrupt", "unavailable"];
