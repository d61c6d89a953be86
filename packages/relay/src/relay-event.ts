// All that a relay tells about what it does. Closed, so that an observer can be exhaustive; ids and codes only,
// never a body, a user's id, a header value or a secret.

import type {
  AttemptRecord,
  CallKind,
  DeadReason,
  DeletionId,
  DeliveryId,
  DestinationId,
  Detail,
  EpochMs,
  FilteredUnit,
  Refusal,
  Regulation,
  SourceId,
  StoreErrorCode,
  SyncReport,
} from "@postrider/core";

interface Where {
  readonly delivery: DeliveryId;
  readonly destination: DestinationId;
}

/** What a call says that has no effect: an object that its kind does not have, or `all` for `All`. */
export type Slip = `${CallKind}-${"traits" | "properties"}` | "all-in-another-case";

export type RelayEvent =
  | {
      readonly kind: "accepted";
      readonly source: SourceId;
      readonly messageId: string;
      readonly deliveries: readonly DeliveryId[];
      readonly filtered: readonly FilteredUnit[];
    }
  | { readonly kind: "duplicate"; readonly source: SourceId; readonly messageId: string }
  /** Its user is suppressed; nothing of it was stored. */
  | { readonly kind: "suppressed"; readonly source: SourceId; readonly messageId: string }
  /** A change of an audience, made before a request about users that came since: it is made anew. */
  | { readonly kind: "outdated"; readonly source: SourceId; readonly messageId: string }
  | { readonly kind: "refused"; readonly source: SourceId; readonly refusal: Refusal }
  /** A call that was taken says something that has no effect. */
  | { readonly kind: "slip"; readonly source: SourceId; readonly slip: Slip }
  | { readonly kind: "shed"; readonly source: SourceId; readonly calls: number }
  /** An attempt has ended; `isLate` when its delivery was settled before. */
  | ({ readonly kind: "attempted"; readonly attempt: AttemptRecord; readonly isLate: boolean } & Where)
  | ({ readonly kind: "delivered"; readonly detail: Detail } & Where)
  | ({ readonly kind: "rescheduled"; readonly dueAt: EpochMs; readonly detail: Detail } & Where)
  /** Claimed, but no round took place. */
  | ({ readonly kind: "released"; readonly dueAt: EpochMs } & Where)
  | ({ readonly kind: "died"; readonly reason: DeadReason; readonly detail: Detail | null } & Where)
  /** The settlement came after the lease had ended; somebody else has the delivery. */
  | ({ readonly kind: "stale" } & Where)
  /** A round met nothing but faults of our own. */
  | ({ readonly kind: "local-fault" } & Where)
  /** Deliveries wait for a destination that is not in the settings. */
  | { readonly kind: "orphaned"; readonly destination: DestinationId; readonly deliveries: number }
  /** Rounds of its lane have failed for long: from now on only a probe goes out, now and then. */
  | { readonly kind: "lane-held"; readonly destination: DestinationId }
  /** A probe has succeeded. */
  | { readonly kind: "lane-open"; readonly destination: DestinationId }
  /** Ended while nobody could claim them. */
  | {
      readonly kind: "ended";
      readonly destination: DestinationId;
      readonly reason: "expired" | "destination-removed";
      readonly deliveries: number;
    }
  /** Brought forward after the clock was set back. */
  | { readonly kind: "pulled-in"; readonly destination: DestinationId; readonly deliveries: number }
  | {
      readonly kind: "deletion-requested";
      readonly deletion: DeletionId;
      readonly regulation: Regulation;
      readonly users: number;
    }
  /** All bodies of a request's users are gone: those of so many deliveries. */
  | { readonly kind: "purged"; readonly deletion: DeletionId; readonly deliveries: number }
  | { readonly kind: "deletion-finished"; readonly deletion: DeletionId }
  /** All changes of a sync are stored as deliveries. */
  | { readonly kind: "synced"; readonly audience: string; readonly report: SyncReport }
  | { readonly kind: "swept"; readonly deliveries: number }
  /** `why` says in words what is wrong with a store that is corrupt. */
  | { readonly kind: "store-fault"; readonly code: StoreErrorCode; readonly why?: string }
  /** The store has come to an end by itself, and does not come back: what is asked from now on is `unavailable`. */
  | { readonly kind: "store-ended"; readonly why: string }
  /** A question to the store is so old, and has no answer. */
  | { readonly kind: "store-stalled"; readonly forMs: number }
  /** It answers again; what has waited longest has waited so long. */
  | { readonly kind: "store-answers"; readonly afterMs: number }
  | { readonly kind: "configured" };
