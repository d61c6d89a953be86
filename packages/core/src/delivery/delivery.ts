// A delivery: one message for one destination, with its state, its attempts and the reasons for which it may be dead, and
// the settlement that ends a claim. Data only; the transitions between states are the table in states.ts.

import type { CallKind } from "../call/call.js";
import type { DeliveryId, DestinationId, EndpointId, EpochMs, ProcessId, SourceId, LeaseToken } from "../ids.js";
import type { Fault } from "../http/reply.js";

/** The states of a delivery. `delivered` and `dead` are final: a replay makes a new delivery. */
export const DELIVERY_STATES = ["waiting", "claimed", "delivered", "dead"] as const;

/** A state of a delivery. `DELIVERY_TABLE` has the transitions. */
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** All reasons for which a delivery may be dead; see `DeadReason`. */
export const DEAD_REASONS = ["expired", "refused", "lane-full", "purged", "destination-removed"] as const;

/**
 * The reason for which a delivery is dead. `expired`: no further round fits into the retry window, or the schedule of the host gave up ·
 * `refused`: every endpoint has refused the delivery for good; or it would have expired, and every endpoint refused it in the end; or our
 * own address policy refused all of them for one retry window · `lane-full`: the lane of the delivery was full · `purged`: a request
 * deleted or suppressed a user of the message · `destination-removed`: the destination was removed from the settings, and then the
 * retention ended or the host called `forget`.
 */
export type DeadReason = (typeof DEAD_REASONS)[number];

/** The type of a message: one of the kinds of calls, or `delete` for a notice (spec, webhook destination §2.2). */
export type MessageType = CallKind | "delete";

/**
 * The meaning of a reply: the endpoint took the message, did not take it now, or refused it. A refusal is final if it speaks of this
 * message alone: see `EndpointState` (decision: refusals).
 */
export type Verdict = "success" | "retry" | "refused";

/** One POST to one endpoint, as stored. */
export interface AttemptRecord {
  /** The number of the round, from 1. */
  readonly round: number;
  readonly endpoint: EndpointId;
  readonly startedAt: EpochMs;
  /** The time from the start to the status line or the fault, in whole milliseconds. */
  readonly durationMs: number;
  readonly result: AttemptResult;
  readonly verdict: Verdict;
}

/** The end of an attempt: a status, or a fault in place of one. */
export type AttemptResult =
  { readonly kind: "answered"; readonly status: number } | { readonly kind: "silent"; readonly fault: Fault };

/** The stored state of one endpoint of a delivery. */
export interface EndpointState {
  readonly endpoint: EndpointId;
  /** True if the endpoint has refused this delivery for good, so that it gets no further attempt. */
  readonly refused: boolean;
  /**
   * The instant at which its latest attempt was refused, if that is not final: a further refusal is, if the endpoint has taken another
   * message in between.
   */
  readonly refusedAt?: EpochMs;
  /** The first bytes, at most 4,096, of the body that its last failed attempt got. Absent if that attempt got none. */
  readonly excerpt?: Uint8Array;
}

/**
 * The result of the latest recorded round in one word: `"404"`, `"gone"` for 410, `"timeout"`. After a success it is the
 * status of the success. After a failed round it is the result of one recorded attempt: that of the endpoint that comes last
 * in the settings. Of a delivery that waits for a blocked destination a relay answers `"forbidden-address"`.
 */
export type Detail = string;

/** A delivery as a list shows it. */
export interface DeliverySummary {
  readonly id: DeliveryId;
  readonly state: DeliveryState;
  /** Present only when dead. */
  readonly reason?: DeadReason;
  readonly detail?: Detail;
  readonly source: SourceId;
  readonly destination: DestinationId;
  readonly type: MessageType;
  readonly messageId: string;
  readonly acceptedAt: EpochMs;
  /** The instant at which the next round is due; while claimed, the end of the lease. Absent when delivered or dead. */
  readonly dueAt?: EpochMs;
  readonly attemptCount: number;
  /** The delivery whose message this replay sends again. Absent if this delivery is no replay. */
  readonly replayOf?: DeliveryId;
}

/** A delivery with its attempts. `body` is absent once the delivery is purged. */
export interface DeliveryRecord extends DeliverySummary {
  readonly body?: Uint8Array;
  /** Ordered by start, then by endpoint. */
  readonly attempts: readonly AttemptRecord[];
  readonly endpoints: readonly EndpointState[];
  /** Absent if there are none. */
  readonly lapses?: Lapses;
}

/**
 * The claims of a delivery that another claim, or `end`, found unsettled after their lease had ended. Each may have sent a round that no
 * attempt records. The instants and processes are those of the latest.
 */
export interface Lapses {
  /** At least 1. */
  readonly count: number;
  /** The process that held the lease. */
  readonly process: ProcessId;
  /** The end of the lease. */
  readonly leaseUntil: EpochMs;
  /** The instant at which the delivery was claimed again, or became dead without a further round. */
  readonly takenAt: EpochMs;
  /** The process that claimed it again, which may be the same. Absent if the delivery became dead. */
  readonly takenBy?: ProcessId;
}

/** The state in which a new delivery is stored. */
export type InitialState =
  | { readonly kind: "claimed" }
  | { readonly kind: "waiting"; readonly dueAt: EpochMs }
  | { readonly kind: "dead"; readonly reason: "lane-full" };

/** The end of a claim: the outcome of the delivery, and its attempts. Stored in one commit. */
export interface Settlement {
  readonly id: DeliveryId;
  /**
   * The settlement applies only if the delivery is still claimed under this token. The end of the lease does not change that: the token
   * settles until another claim, or `end`, takes the delivery.
   */
  readonly token: LeaseToken;
  readonly outcome: Outcome;
  /**
   * Empty on `released`. If there are any, `rounds` rises by 1, and `firstAttemptAt` is set if it is absent: to their earliest start. A
   * delivery has at most one attempt for each round and endpoint, those of `Changes.append` included: a store may use both as a key.
   */
  readonly attempts: readonly AttemptRecord[];
  /** Replaces the stored state of the endpoints, except on `released`, where it is empty. Each endpoint at most once. */
  readonly endpoints: readonly EndpointState[];
}

/** The state of a delivery after a claim, and its effects. */
export type Outcome =
  | { readonly kind: "delivered"; readonly detail: Detail }
  /** Without a `detail`, the stored detail stays. The store decides `purged`; core/round decides the other reasons. */
  | { readonly kind: "dead"; readonly reason: "expired" | "refused" | "purged"; readonly detail?: Detail }
  | { readonly kind: "rescheduled"; readonly dueAt: EpochMs; readonly detail: Detail }
  /** The delivery was claimed, but no attempt is recorded: the claim counts as no round and starts no window. */
  | { readonly kind: "released"; readonly dueAt: EpochMs };
