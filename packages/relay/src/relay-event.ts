// All events that a relay emits. The union is closed, so that an observer can be exhaustive; events contain ids and codes
// only, never a body, a user's id, a header value or a secret.

import type {
  AttemptRecord,
  CallKind,
  CallWarning,
  DeadReason,
  DeletionId,
  DeliveryId,
  DestinationId,
  Detail,
  EpochMs,
  FilteredUnit,
  MessageType,
  NotificationKind,
  Refusal,
  Regulation,
  ReplayJobId,
  ScheduleFault,
  SourceId,
  StoreErrorCode,
  SyncReport,
} from "@postrider/core";

/** The delivery that an event is about. */
export interface DeliveryInEvent {
  readonly delivery: DeliveryId;
  readonly destination: DestinationId;
  readonly source: SourceId;
  readonly type: MessageType;
  readonly messageId: string;
  /** The instant at which the delivery was stored, or replayed. */
  readonly acceptedAt: EpochMs;
  /** The rounds that were recorded before the one of this event: 0 in the first. */
  readonly rounds: number;
  /** The span in which the message was accepted, as a W3C `traceparent`; absent if none was recorded. */
  readonly traceparent?: string;
}

/** The revision of the settings of a store that came into force, and the actor who put it there. */
export interface AdoptedRevision {
  readonly revision: number;
  readonly actor?: string;
}

/** A part of a call that has no effect: an object that its kind does not have, or `all` for `All`. */
export type Slip = `${CallKind}-${"traits" | "properties"}` | "all-in-another-case";

/** Reports an event to the log and to the observer of the host. */
export type EmitEvent = (event: EventFacts) => void;

/** Reports a measurement to the observer of the host: to nothing else, so that none is made without one. */
export type EmitMeasurement = (event: Measurement) => void;

/** One thing that has happened in a relay, or in an HTTP front over it, as `observe` gets it. */
export type RelayEvent = (EventFacts | Measurement) & {
  /** The instant of the event, by the wall clock of the relay. */
  readonly at: EpochMs;
};

/** An event that tells how long work took. Only an observer gets it; it is in no log and in no trace. */
export type Measurement =
  /** A commit has succeeded: `ms` milliseconds after it was requested, repeats while the store was busy included. */
  | { readonly kind: "committed"; readonly calls: number; readonly settlements: number; readonly ms: number }
  /** Deliveries of one lane were claimed. One of them could have been claimed `overdueMs` milliseconds ago, the others later. */
  | {
      readonly kind: "claimed";
      readonly destination: DestinationId;
      readonly deliveries: number;
      readonly overdueMs: number;
    }
  /**
   * An HTTP front has answered a request, `ms` milliseconds after its body was read. `route` is a path that the front
   * knows, never the path that the caller wrote: `*` stands for its variable part, or for all of an unknown path.
   */
  | { readonly kind: "answered"; readonly route: string; readonly status: number; readonly ms: number };

/** The content of an event, without its time. */
export type EventFacts =
  | {
      readonly kind: "accepted";
      readonly source: SourceId;
      readonly messageId: string;
      readonly deliveries: readonly DeliveryId[];
      readonly filtered: readonly FilteredUnit[];
      /** The parts of the call that may be otherwise than its caller meant; absent if there is nothing to say. */
      readonly warnings?: readonly CallWarning[];
    }
  | { readonly kind: "duplicate"; readonly source: SourceId; readonly messageId: string }
  /** The user of a call is suppressed; nothing of the call was stored. */
  | { readonly kind: "suppressed"; readonly source: SourceId; readonly messageId: string }
  /**
   * A change of an audience was not stored, since a request about users came after the change was found. The sync
   * compares the members again.
   */
  | { readonly kind: "outdated"; readonly source: SourceId; readonly messageId: string }
  /** `messageId`: as the call has it; absent if it has none that could be accepted. */
  | { readonly kind: "refused"; readonly source: SourceId; readonly messageId?: string; readonly refusal: Refusal }
  /** An accepted call has a part that has no effect. */
  | { readonly kind: "slip"; readonly source: SourceId; readonly slip: Slip }
  | { readonly kind: "shed"; readonly source: SourceId; readonly calls: number }
  /** An attempt has ended; `isLate` says whether its delivery was settled before. */
  | ({ readonly kind: "attempted"; readonly attempt: AttemptRecord; readonly isLate: boolean } & DeliveryInEvent)
  | ({ readonly kind: "delivered"; readonly detail: Detail } & DeliveryInEvent)
  | ({ readonly kind: "rescheduled"; readonly dueAt: EpochMs; readonly detail: Detail } & DeliveryInEvent)
  /** The claim ended without a round, or with a round that does not count since it had only local faults. */
  | ({ readonly kind: "released"; readonly dueAt: EpochMs } & DeliveryInEvent)
  | ({ readonly kind: "died"; readonly reason: DeadReason; readonly detail: Detail | null } & DeliveryInEvent)
  /** A replay of the delivery `of` was stored: a new delivery of the same message. If it is dead at once, `died` follows. */
  | ({ readonly kind: "replayed"; readonly of: DeliveryId } & DeliveryInEvent)
  /** A settlement has not taken effect; another process has claimed the delivery, or may claim it once the lease has ended. */
  | ({ readonly kind: "stale" } & DeliveryInEvent)
  /** The schedule of this name threw, or answered no finite number: the numbers of the policy decided instead. */
  | ({ readonly kind: "schedule-fault"; readonly schedule: string; readonly fault: ScheduleFault } & DeliveryInEvent)
  /** A round had only local faults. */
  | ({ readonly kind: "local-fault" } & DeliveryInEvent)
  /** Deliveries wait for a destination that is not in the settings. */
  | { readonly kind: "orphaned"; readonly destination: DestinationId; readonly deliveries: number }
  /** Calls in the outbox are of a source that is not in the settings. */
  | { readonly kind: "outbox-waits"; readonly source: SourceId; readonly calls: number }
  /** The receiver fails, or refuses whatever it gets: from now on only probes are sent to the destination. */
  | { readonly kind: "lane-held"; readonly destination: DestinationId }
  /** Our own address policy refuses every endpoint of the destination: its deliveries wait, and nothing is connected. */
  | { readonly kind: "lane-blocked"; readonly destination: DestinationId }
  /** A probe has succeeded, or has reached the receiver of a blocked lane: the lane is neither held nor blocked any more. */
  | { readonly kind: "lane-open"; readonly destination: DestinationId }
  /** An operator has paused the destination, or has ended that pause: by way of this process. */
  | { readonly kind: "lane-paused" | "lane-resumed"; readonly destination: DestinationId }
  /** Deliveries ended while they waited in a lane that was closed, held or blocked. */
  | {
      readonly kind: "ended";
      readonly destination: DestinationId;
      readonly reason: "expired" | "refused" | "destination-removed";
      readonly deliveries: number;
    }
  /** Deliveries were brought forward: their due times were too far off, as after a clock was set back. */
  | { readonly kind: "pulled-in"; readonly destination: DestinationId; readonly deliveries: number }
  | {
      readonly kind: "deletion-requested";
      readonly deletion: DeletionId;
      readonly regulation: Regulation;
      readonly users: number;
    }
  /** All bodies of a request's users are purged; `deliveries` is how many deliveries had a body. */
  | { readonly kind: "purged"; readonly deletion: DeletionId; readonly deliveries: number }
  | { readonly kind: "deletion-finished"; readonly deletion: DeletionId }
  /** All changes of a sync are stored as deliveries. */
  | { readonly kind: "synced"; readonly audience: string; readonly report: SyncReport }
  /** A replay job has replayed all it could. */
  | {
      readonly kind: "replay-job-done";
      readonly job: ReplayJobId;
      readonly replayed: number;
      readonly skipped: number;
    }
  | { readonly kind: "swept"; readonly deliveries: number }
  /** `why` describes what is wrong with a corrupt store, or what a store threw that is no `StoreError`. */
  | { readonly kind: "store-fault"; readonly code: StoreErrorCode; readonly why?: string }
  /** The store has ended without being closed, and does not come back: every request from now on is `unavailable`. */
  | { readonly kind: "store-ended"; readonly why: string }
  /** A request to the store has had no answer for `forMs` milliseconds. */
  | { readonly kind: "store-stalled"; readonly forMs: number }
  /** The store answers again; `afterMs` is how long the oldest request has waited, in milliseconds. */
  | { readonly kind: "store-answers"; readonly afterMs: number }
  /** A hook has taken a notification. `hook` is its place in the settings, from 0. */
  | { readonly kind: "notification-sent"; readonly hook: number; readonly notification: NotificationKind }
  /** A hook has refused a notification, or has not taken it within an hour; `detail` is its last answer. */
  | {
      readonly kind: "notification-failed";
      readonly hook: number;
      readonly notification: NotificationKind;
      readonly detail: Detail;
    }
  /** New settings are in force. `revision` and `actor` are there if they came from the store that servers share. */
  | ({ readonly kind: "configured" } & Partial<AdoptedRevision>);
