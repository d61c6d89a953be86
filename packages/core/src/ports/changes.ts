// The content of one commit of a delivery store, and its result. All changes that must be stored together are in one commit.

import type { AttemptRecord, MessageType, Settlement, InitialState } from "../delivery/delivery.js";
import type { Lease } from "../delivery/lease.js";
import type { Body, DeletionId, DeliveryId, DestinationId, EpochMs, SourceId } from "../ids.js";
import type { FilteredUnit } from "../routing/route.js";
import type { NoticeProgress } from "./deletion-store.js";

/**
 * The content of one commit. Any list may be empty. A store applies `accept`, `settle`, `replay` and `append` in this order, each from its
 * first entry to its last. `tally` and `notified` have no effect on the others, so their place does not matter.
 */
export interface Changes {
  readonly accept: readonly NewMessage[];
  readonly settle: readonly Settlement[];
  readonly replay: readonly Replay[];
  /**
   * Attempts that ended after their delivery was settled. They raise `attemptCount`, and change neither the state nor `rounds` nor
   * `firstAttemptAt`. For their keys, see `Settlement`.
   */
  readonly append: readonly { readonly id: DeliveryId; readonly attempt: AttemptRecord }[];
  /**
   * Counts of refused, suppressed and shed calls, which are not part of the law of the counters. They are stored with the
   * next commit, so a crash may lose the latest counts.
   */
  readonly tally: readonly CallCounts[];
  /** The number of users whose notices are stored, for each deletion request for which this commit stores notices. */
  readonly notified?: readonly NoticeProgress[];
  /** The lease of every delivery that this commit stores as claimed. */
  readonly lease: Lease;
}

/** A message that a commit stores together with its deliveries. */
export interface NewMessage {
  readonly source: SourceId;
  /**
   * For 24 hours, a further message with this source and messageId is a duplicate: if the `now` of its commit is less than 24 hours
   * later than that of this one, or is earlier. A store may forget it if `now` goes back by more than 24 hours.
   */
  readonly messageId: string;
  readonly type: MessageType;
  /** Its deliveries have this as their `acceptedAt`. */
  readonly receivedAt: EpochMs;
  /**
   * The users of the message, each once, at most `MAX_MESSAGE_USERS`. If one of them is suppressed, the message is not stored.
   * Absent: no users. A delete message has none: it is stored for suppressed users too, and no request purges it.
   */
  readonly userIds?: readonly string[];
  /**
   * The message takes into account all requests about users up to this number. If a later request has been opened, nothing
   * of the message is stored. Absent: requests about users do not matter for the message.
   */
  readonly asOf?: number;
  /**
   * The span in which the message was accepted: a W3C `traceparent` of 55 ASCII characters, which each claim of the message's
   * deliveries returns, replays included. A store may leave it out; then no span of a round is linked to that span.
   */
  readonly traceparent?: string;
  /** The deletion request, if the message is a notice. The request is stored already. */
  readonly deletion?: DeletionId;
  /**
   * The store returns these bytes unchanged, of whichever class they are. They may be a view into a larger buffer. Somewhat more
   * than `MAX_CALL_BYTES` at most.
   */
  readonly body: Body;
  readonly deliveries: readonly NewDelivery[];
  /** The filtered units. They are only counted, not stored as deliveries. */
  readonly filtered: readonly FilteredUnit[];
}

/** A delivery that a commit creates, and its first state. */
export interface NewDelivery {
  readonly destination: DestinationId;
  readonly start: InitialState;
}

/**
 * A new delivery of the same message, without attempts; its `acceptedAt` is the `now` of the commit. It counts as `accepted` and in its
 * state, not as `received`. The old delivery must be delivered or dead, and must still have its body.
 */
export interface Replay {
  readonly of: DeliveryId;
  readonly start: InitialState;
  /** Only if the delivery was never replayed, be it by a commit before or further up in the same list. */
  readonly once?: boolean;
}

/** The calls of a source that were not stored, to be added to its counters. */
export interface CallCounts {
  readonly source: SourceId;
  readonly refused: number;
  readonly suppressed: number;
  readonly shed: number;
}

/** The result of a commit. Each list is in the order of the list in `Changes` that it answers. */
export interface CommitResult {
  readonly accepted: readonly AcceptResult[];
  /** The new delivery; undefined if the old delivery was removed, is unfinished or is purged, or was replayed and must not be again. */
  readonly replayed: readonly (DeliveryId | undefined)[];
  readonly settled: readonly SettleResult[];
  /** `gone`: the delivery has been removed. */
  readonly appended: readonly ("appended" | "gone")[];
}

/**
 * `stale`: the delivery is not claimed under that token, and nothing has changed. `purged`: a deletion has put the delivery
 * out of reach, and the outcome was not `delivered`. The delivery is now dead(`purged`); attempts, detail and endpoints are
 * stored as for any other outcome, excerpts are not.
 */
export type SettleResult = "settled" | "purged" | "stale";

/**
 * The result of a commit for one message: the first of `outdated`, `suppressed` and `duplicate` that applies, or `stored`. Each but
 * `outdated` raises counters of the message's source.
 */
export type AcceptResult =
  /**
   * `received` rises by 1, but not for a notice; `accepted` by 1 for each delivery and each filtered unit, which counts in its state or as
   * `filtered`. The caller names a unit that goes nowhere as filtered.
   */
  | { readonly kind: "stored"; readonly deliveries: readonly DeliveryId[] }
  /** `duplicates` rises by 1, and nothing else changes. */
  | { readonly kind: "duplicate" }
  /** A user is suppressed: `suppressed` rises by 1, and nothing of the message is stored, not even its messageId. */
  | { readonly kind: "suppressed" }
  /** A request about users was opened after the message's `asOf`: the message is neither counted nor stored. */
  | { readonly kind: "outdated" };
