// What one commit of a delivery store holds, and what it answers: the whole of what changes there and must not part.

import type { AttemptRecord, MessageType } from "../delivery/delivery.js";
import type { Lease } from "../delivery/lease.js";
import type { Settlement, Start } from "../delivery/settlement.js";
import type { Body, DeletionId, DeliveryId, DestinationId, EpochMs, SourceId } from "../ids.js";
import type { FilteredUnit } from "../routing/route.js";
import type { NoticeProgress } from "./deletion-store.js";

/** What one commit holds. Any list may be empty. */
export interface Changes {
  readonly accept: readonly NewMessage[];
  readonly replay: readonly Replay[];
  readonly settle: readonly Settlement[];
  /** Attempts that ended after their delivery was settled. They change no state. */
  readonly append: readonly { readonly id: DeliveryId; readonly attempt: AttemptRecord }[];
  /** Counts of calls outside the law. They ride on a commit that happens anyway; a crash may lose the last. */
  readonly tally: readonly CallCounts[];
  /** How far the notices of deletions have come. None if absent. */
  readonly notified?: readonly NoticeProgress[];
  /** For all that this commit stores as claimed. */
  readonly lease: Lease;
}

export interface NewMessage {
  readonly source: SourceId;
  /** With `source`, what a duplicate is known by, for 24 hours. */
  readonly messageId: string;
  readonly type: MessageType;
  readonly receivedAt: EpochMs;
  /** Whom it is about, each once. If one of them is suppressed, nothing of it is stored. Nobody if absent. */
  readonly userIds?: readonly string[];
  /**
   * The number of the last request about users that what it says takes into account. If a later one has been opened,
   * nothing of it is stored. It says nothing of requests if absent.
   */
  readonly asOf?: number;
  /** The request that it is a notice of. */
  readonly deletion?: DeletionId;
  /** Returned bit for bit. */
  readonly body: Body;
  readonly deliveries: readonly NewDelivery[];
  /** Counted; they have no row. */
  readonly filtered: readonly FilteredUnit[];
}

export interface NewDelivery {
  readonly destination: DestinationId;
  readonly start: Start;
}

/** A new delivery of the same message. Only of one that is delivered or dead and has its body. */
export interface Replay {
  readonly of: DeliveryId;
  readonly start: Start;
}

export interface CallCounts {
  readonly source: SourceId;
  readonly refused: number;
  readonly suppressed: number;
  readonly shed: number;
}

/** Each list in the order of its input. */
export interface Committed {
  readonly accepted: readonly Accepted[];
  /** The new delivery; undefined where the old one is gone, unfinished or purged. */
  readonly replayed: readonly (DeliveryId | undefined)[];
  readonly settled: readonly Settled[];
  readonly appended: readonly ("appended" | "gone")[];
}

/**
 * `stale`: not claimed under that token, and nothing has changed. `purged`: it was not delivered, and a deletion has put
 * it out of reach; it is dead(`purged`) now, its attempts are recorded, and what receivers answered is not.
 */
export type Settled = "settled" | "purged" | "stale";

export type Accepted =
  | { readonly kind: "stored"; readonly deliveries: readonly DeliveryId[] }
  | { readonly kind: "duplicate" }
  /** One of its users is suppressed: counted, and nothing of it is kept, its messageId neither. */
  | { readonly kind: "suppressed" }
  /** A request about users was opened after `asOf`: not counted, and nothing of it is kept. */
  | { readonly kind: "outdated" };
