// A delivery: one message on its way to one destination. Its states and why it may die; its attempts.
// How one state leads to the next is the table in states.ts.

import type { CallKind } from "../call/call.js";
import type { DeliveryId, DestinationId, EndpointId, EpochMs, SourceId } from "../ids.js";
import type { Fault } from "../http/reply.js";

export const DELIVERY_STATES = ["waiting", "claimed", "delivered", "dead"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const DEAD_REASONS = ["expired", "refused", "lane-full", "purged", "destination-removed", "corrupt"] as const;
export type DeadReason = (typeof DEAD_REASONS)[number];

/** The type of a message: the six calls, and the notice of a deletion (spec, webhook destination §2.2). */
export type MessageType = CallKind | "delete";

/** What a reply means for the delivery. */
export type Verdict = "success" | "retry" | "refused";

/** One POST to one endpoint, as it is kept. */
export interface AttemptRecord {
  /** From 1. */
  readonly round: number;
  readonly endpoint: EndpointId;
  readonly startedAt: EpochMs;
  /** From the start to the status line, or to the fault. */
  readonly durationMs: number;
  readonly result: AttemptResult;
  readonly verdict: Verdict;
}

export type AttemptResult =
  { readonly kind: "answered"; readonly status: number } | { readonly kind: "silent"; readonly fault: Fault };

/** What a delivery remembers of one of its endpoints. */
export interface EndpointState {
  readonly endpoint: EndpointId;
  /** It has refused this delivery for good and gets no further attempt of it. */
  readonly refused: boolean;
  /** The first bytes of its latest failed answer. */
  readonly excerpt?: Uint8Array;
}

/**
 * The last status or fault in short: `"404"`, `"gone"` for 410, `"timeout"`. Of the latest attempt; where a round
 * had several, of the last endpoint in settings order.
 */
export type Detail = string;

/** A delivery as lists show it. */
export interface DeliverySummary {
  readonly id: DeliveryId;
  readonly state: DeliveryState;
  /** Only when dead. */
  readonly reason?: DeadReason;
  readonly detail?: Detail;
  readonly source: SourceId;
  readonly destination: DestinationId;
  readonly type: MessageType;
  readonly messageId: string;
  readonly acceptedAt: EpochMs;
  /** When the next round is due; while claimed, when the lease ends. Absent once delivered or dead. */
  readonly dueAt?: EpochMs;
  readonly attemptCount: number;
  /** The delivery that this one repeats. */
  readonly replayOf?: DeliveryId;
}

/** A delivery in full. `body` is absent once purged. */
export interface DeliveryRecord extends DeliverySummary {
  readonly body?: Uint8Array;
  /** By start, then endpoint. */
  readonly attempts: readonly AttemptRecord[];
  readonly endpoints: readonly EndpointState[];
}
