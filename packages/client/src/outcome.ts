// The outcomes of calls: a call is delivered or has failed, once. Only a call that was set aside gets a second outcome when it ends.

import type { CallKind } from "@postrider/core/batch";

/** A call that the server has accepted. */
export interface DeliveredCall {
  /** The id of the call, which the receiver gets too. */
  readonly messageId: string;
  /** The method that has made it. */
  readonly type: CallKind;
}

/**
 * The reason for which a call was not delivered: the server refused the call (`rejected`) or its whole batch (`refused`), every retry has
 * failed (`retries-exhausted`), or `close` reached its timeout (`closed`). A client with a storage never gives up for the second and the
 * third reason; a call that is refused alone while others are taken stays in its storage (`set-aside`), and is tried again each hour. A
 * call that its own method has refused was never queued (`not-queued`).
 */
export type FailReason = "rejected" | "refused" | "retries-exhausted" | "closed" | "set-aside" | "not-queued";

/** A call that the client gives up or does not queue, with the reason and its JSON text. */
export interface FailedCall {
  /** The id of the call, which the receiver gets too; empty if the call breaks a rule, so that it was not written. */
  readonly messageId: string;
  /** The method that has made it. */
  readonly type: CallKind;
  /** The reason for which it was given up; `code` names the cause. */
  readonly reason: FailReason;
  /** The cause: a code such as `no-event`, `queue-full`, `timeout` or `network`, or a status such as `503`. */
  readonly code: string;
  /** The cause in words. */
  readonly message: string;
  /** The call as JSON text: to be stored, or made again under its messageId. Empty if the call breaks a rule. */
  readonly json: string;
}

/** The end of a call: delivered to the server, or failed for good. */
export type CallOutcome =
  | ({ readonly kind: "delivered" } & DeliveredCall)
  | ({ readonly kind: "failed" } & FailedCall)
  /** This many outcomes were dropped here, since the iterator was not read in time. */
  | { readonly kind: "missed"; readonly count: number };
