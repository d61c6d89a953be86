// A delivery: one message for one destination, with its state, its attempts and the reasons for which it may be dead. Data
// only; the transitions between states are the table in states.ts.

import type { CallKind } from "../call/call.js";
import type { DeliveryId, DestinationId, EndpointId, EpochMs, SourceId } from "../ids.js";
import type { Fault } from "../http/reply.js";

export const DELIVERY_STATES = ["waiting", "claimed", "delivered", "dead"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const DEAD_REASONS = ["expired", "refused", "lane-full", "purged", "destination-removed"] as const;
/**
 * `expired`: the retry window has ended · `refused`: every endpoint has refused it · `lane-full`: its lane was full ·
 * `purged`: its user was deleted · `destination-removed`: its destination left the
 * settings, and its retention ended or the host gave its lane up.
 */
export type DeadReason = (typeof DEAD_REASONS)[number];

/** The type of a message: one of the six kinds of calls, or `delete` for a notice (spec, webhook destination §2.2). */
export type MessageType = CallKind | "delete";

/** What a reply means: the delivery is done, the endpoint may be tried again, or it will never take this delivery. */
export type Verdict = "success" | "retry" | "refused";

/** One POST to one endpoint, as stored. */
export interface AttemptRecord {
  /** The number of the round, from 1. */
  readonly round: number;
  readonly endpoint: EndpointId;
  readonly startedAt: EpochMs;
  /** From the start to the status line or the fault, in whole milliseconds. */
  readonly durationMs: number;
  readonly result: AttemptResult;
  readonly verdict: Verdict;
}

export type AttemptResult =
  { readonly kind: "answered"; readonly status: number } | { readonly kind: "silent"; readonly fault: Fault };

/** What is stored of one endpoint of a delivery. */
export interface EndpointState {
  readonly endpoint: EndpointId;
  /** It has refused this delivery for good, and gets no further attempt. */
  readonly refused: boolean;
  /** The first bytes of the body of its latest failed answer, at most 4,096. */
  readonly excerpt?: Uint8Array;
}

/**
 * The last status or fault in one word: `"404"`, `"gone"` for 410, `"timeout"`. It is that of the latest round; if several
 * attempts of the round failed, that of the last endpoint in settings order.
 */
export type Detail = string;

/** A delivery as in lists. */
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
  /** When the next round is due; while claimed, when the lease ends. Absent when delivered or dead. */
  readonly dueAt?: EpochMs;
  readonly attemptCount: number;
  /** The delivery whose message this one sends again. */
  readonly replayOf?: DeliveryId;
}

/** A delivery with its attempts. `body` is absent once purged. */
export interface DeliveryRecord extends DeliverySummary {
  readonly body?: Uint8Array;
  /** Ordered by start, then by endpoint. */
  readonly attempts: readonly AttemptRecord[];
  readonly endpoints: readonly EndpointState[];
}
