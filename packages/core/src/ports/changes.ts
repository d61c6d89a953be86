// The content of one commit of a delivery store, and its result. All changes that must be stored together are in one commit.

import type { AttemptRecord, MessageType } from "../delivery/delivery.js";
import type { Lease } from "../delivery/lease.js";
import type { Settlement, InitialState } from "../delivery/settlement.js";
import type { Body, DeletionId, DeliveryId, DestinationId, EpochMs, SourceId } from "../ids.js";
import type { FilteredUnit } from "../routing/route.js";
import type { NoticeProgress } from "./deletion-store.js";

/** The content of one commit. Any list may be empty. */
export interface Changes {
  readonly accept: readonly NewMessage[];
  readonly replay: readonly Replay[];
  readonly settle: readonly Settlement[];
  /** Attempts that ended after their delivery was settled. They change no state. */
  readonly append: readonly { readonly id: DeliveryId; readonly attempt: AttemptRecord }[];
  /**
   * Counts of refused, suppressed and shed calls, which are not part of the law of the counters. They are stored with the
   * next commit, so a crash may lose the latest.
   */
  readonly tally: readonly CallCounts[];
  /** The progress of the notices of deletions. None if absent. */
  readonly notified?: readonly NoticeProgress[];
  /** The lease of every delivery that this commit stores as claimed. */
  readonly lease: Lease;
}

export interface NewMessage {
  readonly source: SourceId;
  /** Together with `source`, it identifies duplicates for 24 hours. */
  readonly messageId: string;
  readonly type: MessageType;
  readonly receivedAt: EpochMs;
  /** The users of the message, each once. If one of them is suppressed, the message is not stored. No users if absent. */
  readonly userIds?: readonly string[];
  /**
   * The message takes into account all requests about users up to this number. If a later request has been opened, nothing
   * of the message is stored. Absent: requests do not matter for it.
   */
  readonly asOf?: number;
  /** The deletion request, if the message is a notice. */
  readonly deletion?: DeletionId;
  /** Returned byte for byte. */
  readonly body: Body;
  readonly deliveries: readonly NewDelivery[];
  /** Only counted; filtered units are not stored as deliveries. */
  readonly filtered: readonly FilteredUnit[];
}

export interface NewDelivery {
  readonly destination: DestinationId;
  readonly start: InitialState;
}

/** A new delivery of the same message. The old delivery must be delivered or dead, and must still have its body. */
export interface Replay {
  readonly of: DeliveryId;
  readonly start: InitialState;
}

export interface CallCounts {
  readonly source: SourceId;
  readonly refused: number;
  readonly suppressed: number;
  readonly shed: number;
}

/** Each list in the order of its input. */
export interface CommitResult {
  readonly accepted: readonly AcceptResult[];
  /** The new delivery; undefined if the old one was removed, is unfinished or is purged. */
  readonly replayed: readonly (DeliveryId | undefined)[];
  readonly settled: readonly SettleResult[];
  readonly appended: readonly ("appended" | "gone")[];
}

/**
 * `stale`: the delivery is not claimed under that token, and nothing has changed. `purged`: a deletion has put the delivery
 * out of reach, and the outcome was not `delivered`. It is dead(`purged`) now; its attempts are stored, excerpts are not.
 */
export type SettleResult = "settled" | "purged" | "stale";

export type AcceptResult =
  | { readonly kind: "stored"; readonly deliveries: readonly DeliveryId[] }
  | { readonly kind: "duplicate" }
  /** One of its users is suppressed: the message is counted, and nothing of it is stored, not even its messageId. */
  | { readonly kind: "suppressed" }
  /** A request about users was opened after `asOf`: the message is not counted, and nothing of it is stored. */
  | { readonly kind: "outdated" };
