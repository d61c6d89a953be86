// The errors of the storage in the browser, with the codes of the port.

import type { StoreError, StoreErrorCode } from "@postrider/core";

export function createDatabaseError(code: StoreErrorCode, message: string, cause?: unknown): StoreError {
  return Object.assign(new Error(`IndexedDB: ${message}`, { cause }), { code });
}

/** Turns an error of the browser, whose `code` is a number, into one of the port: `full` for a lack of room, otherwise `unavailable`. */
export function asStoreError(error: unknown): StoreError {
  const { code, name, message } = (error ?? {}) as Readonly<Record<"code" | "name" | "message", unknown>>;
  if (typeof code === "string") return error as StoreError;
  return createDatabaseError(name === "QuotaExceededError" ? "full" : "unavailable", String(message), error);
}
