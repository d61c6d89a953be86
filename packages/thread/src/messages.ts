// The messages on the channel: requests, and responses with the number of their request. The first response has number
// 0 and belongs to no request: it says whether the stores could be opened, and which stores there are.

import type { Parcel } from "./parcel.js";

/** Which stores were opened: `hasAudiences`, and a flag for each part of the delivery store. */
export interface OpeningReport {
  readonly hasAudiences: boolean;
  readonly [flag: `has${string}`]: boolean;
}

/** The number of the first response. */
export const OPENING_ID = 0;

export interface RpcRequest extends Parcel {
  /** At least 1: 0 is the number of the first response. */
  readonly id: number;
  /** The name of a method. */
  readonly name: string;
}

export type RpcResponse =
  | (Parcel & { readonly kind: "answer"; readonly id: number })
  | { readonly kind: "fault"; readonly id: number; readonly fault: PackedError };

/** An error of a store, as it is sent. */
export interface PackedError {
  /** The `code` of the error, such as that of a `StoreError`; null if the error has no code. */
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
