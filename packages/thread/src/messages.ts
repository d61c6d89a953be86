// What is said on the channel: questions, and answers that bear the number of their question. The first answer comes
// unasked, under number 0: whether the stores could be opened, and which there are.

import type { Parcel } from "./parcel.js";

export interface Opened {
  readonly hasDeletions: boolean;
  readonly hasAudiences: boolean;
}

export const OPENING_ID = 0;

export interface Asked extends Parcel {
  /** From 1. */
  readonly id: number;
  readonly name: string;
}

export type Answered =
  | (Parcel & { readonly kind: "answer"; readonly id: number })
  | { readonly kind: "fault"; readonly id: number; readonly fault: Fault };

/** What a store rejected with. */
export interface Fault {
  /** That of a `StoreError`; null if it had none. */
  readonly code: string | null;
  readonly message: string;
}

export function faultOf(error: unknown): Fault {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : null;
  return {
    code: typeof code === "string" ? code : null,
    message: error instanceof Error ? error.message : "an unknown fault",
  };
}

export function errorOf({ code, message }: Fault): Error {
  return code === null ? new Error(message) : Object.assign(new Error(message), { code });
}
