// How a call ends: every call that was queued ends in exactly one of these.

import type { CallKind } from "@postrider/core/batch";

export interface DeliveredCall {
  readonly messageId: string;
  readonly type: CallKind;
}

/**
 * Why a call was not delivered: the server refused this call (`rejected`) or its whole batch (`refused`), was away or at
 * fault for too long (`retries-exhausted`), or `close` did not wait any longer (`closed`).
 */
export type FailReason = "rejected" | "refused" | "retries-exhausted" | "closed";

export interface FailedCall {
  readonly messageId: string;
  readonly type: CallKind;
  readonly reason: FailReason;
  /** What stood in the way: the server's code such as `no-event`, a status such as `503`, or `timeout`, `network`, `closed`. */
  readonly code: string;
  /** The same in words. */
  readonly message: string;
  /** The call itself, as JSON text: to be kept, or made anew under its messageId. */
  readonly json: string;
}

export type Outcome =
  | ({ readonly kind: "delivered" } & DeliveredCall)
  | ({ readonly kind: "failed" } & FailedCall)
  /** So many outcomes were left out here, since nobody took them in time. */
  | { readonly kind: "missed"; readonly count: number };
