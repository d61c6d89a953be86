// The messages on the channel: requests, and responses with the number of their request. The first response has number 0
// and no request: it says whether the stores could be opened, and which there are. Knows no store.

import type { Parcel } from "./parcel.js";

export interface OpenedStores {
  readonly hasDeletions: boolean;
  readonly hasAudiences: boolean;
}

export const OPENING_ID = 0;

export interface RpcRequest extends Parcel {
  /** From 1. */
  readonly id: number;
  /** The name of a method. */
  readonly name: string;
}

export type RpcResponse =
  | (Parcel & { readonly kind: "answer"; readonly id: number })
  | { readonly kind: "fault"; readonly id: number; readonly fault: PackedError };

/** The error with which a store rejected. */
export interface PackedError {
  /** The code of a `StoreError`; null if the error had none. */
  readonly code: string | null;
  readonly message: string;
}

export function packError(error: unknown): PackedError {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : null;
  return {
    code: typeof code === "string" ? code : null,
    message: error instanceof Error ? error.message : "an unknown fault",
  };
}

export function unpackError({ code, message }: PackedError): Error {
  return code === null ? new Error(message) : Object.assign(new Error(message), { code });
}
