// The storage port of deliveries. A store decides nothing: it changes state as the relay asks, in whole commits. The contract suite checks it.

import type { SourceCounts } from "../delivery/counts.js";
import type {
  DeadReason,
  DeliveryRecord,
  DeliveryState,
  DeliverySummary,
  Detail,
  EndpointState,
  MessageType,
} from "../delivery/delivery.js";
import type { Lease } from "../delivery/lease.js";
import type { Body, DeliveryId, DestinationId, EpochMs, SourceId } from "../ids.js";
import type { Changes, CommitResult } from "./changes.js";
import type { DeletionStore } from "./deletion-store.js";
import type { Hints, LaneChanges, LaneRow } from "./lane-changes.js";
import type { LaneBoard } from "./lane-board.js";
import type { Outbox } from "./outbox.js";
import type { RecordStore } from "./record-store.js";
import type { SeenMessage, SeenQuery } from "./seen.js";
import type { SharedClock } from "./clock.js";

/**
 * The `code` of the error with which a store rejects.
 * `busy`: nothing was written; try again. `full`: nothing was written; reads still work.
 * `corrupt`: stored data cannot be trusted; stop using the store, whose methods all reject from then on, as `corrupt` or
 * `unavailable`. `unavailable`: it is unknown whether anything was written.
 */
export type StoreErrorCode = "busy" | "full" | "corrupt" | "unavailable";

/** The only error of a store. Its code says what may have been written. */
export interface StoreError extends Error {
  readonly code: StoreErrorCode;
}

/**
 * The storage port of messages, their deliveries and the counters. Every method answers with a promise, which rejects only with
 * a `StoreError`; none throws.
 *
 * Ids, tokens and details are texts of any UTF-16 units, U+0000 and lone surrogates among them, and come back as they were. Two
 * are the same only if all their units are: letters in upper and lower case, blanks at either end, composed and decomposed
 * letters differ. A message id and a detail may be empty.
 *
 * `now` may be earlier than in calls before, since a clock may be set back. A store compares instants only with the `now` that
 * it is given: a lease lasts until its instant, and what is not due at `now` is not claimed. It orders what it has stored by the
 * storing, not by time (decision: clocks set back). `lanes`, `pullIn` and `sweep` decide nothing by `now`, which is for stores that
 * arrange what they have by time. Any limit may be 0, and then nothing is taken.
 *
 * Methods may be called while others run, by several processes too: they take effect as if one after the other, in any order.
 * A method that only reads shows each change that overlaps it whole or not at all (decision: overlapping reads).
 * If the process dies, a commit that was not answered is stored whole or not at all.
 */
export interface DeliveryStore {
  /**
   * One durable, atomic commit: all changes or none. Resolves only once the changes would survive a power cut.
   * A stale settlement does not fail the commit; its result is `stale`. The store keeps no reference to the given byte arrays.
   */
  commit(changes: Changes, now: EpochMs): Promise<CommitResult>;
  /**
   * Claims up to `limit` due deliveries of each named lane, earliest due first, under `token` until `now + leaseMs`. A
   * delivery is due if it is waiting and `dueAt <= now`, or if it is claimed and its lease has ended. Other lanes are not
   * touched. For lanes with `retries`, see `LaneClaim`. Due deliveries that are out of reach become dead(`purged`) instead
   * (see `DeletionStore`), so that fewer than `limit` may be returned although more are due. A claim, or `end`, that takes a delivery
   * whose lease has ended counts that in its `lapses`.
   */
  claim(request: ClaimRequest, now: EpochMs): Promise<ClaimResult>;
  /** A page of the lanes with unfinished deliveries of any process, ascending by lane id, in UTF-16 units or in bytes. */
  lanes(page: LanePageRequest, now: EpochMs): Promise<LanePage>;
  /**
   * Ends up to `limit` deliveries of a lane: waiting ones, and claimed ones whose lease has ended, become dead for `reason`,
   * or for `purged` if they are out of reach (see `DeletionStore`). Claims of the lane may run at the same time. Returns how
   * many deliveries it ended; repeat until there are fewer than `limit`.
   */
  end(request: EndRequest, now: EpochMs): Promise<number>;
  /**
   * Brings forward up to `limit` deliveries of a lane that can be claimed only after `dueAfter`: they can be claimed at
   * `dueAt` instead. The relay uses this after its clock was set back. A claimed delivery stays claimed under its token.
   * Returns how many deliveries it changed; repeat until there are fewer than `limit`.
   */
  pullIn(request: PullInRequest, now: EpochMs): Promise<number>;
  find(id: DeliveryId): Promise<DeliveryRecord | undefined>;
  list(query: ListQuery): Promise<DeliveryPage>;
  /**
   * The messages that are remembered under a messageId: at most one per source, in any order. A message is listed exactly if
   * a commit at `now` would answer `duplicate` to a further message with the same source and messageId.
   */
  seen(query: SeenQuery, now: EpochMs): Promise<readonly SeenMessage[]>;
  /** The counters of each source that was ever counted, as one snapshot in which the law of the counters holds. */
  counts(): Promise<readonly SourceCounts[]>;
  /**
   * Removes up to `limit` finished deliveries with their attempts, and bodies without a delivery. Counters do not
   * change. Returns how many deliveries it removed; repeat until there are fewer than `limit`. A store that removes whole
   * tables at once may keep delivered ones for a part of their retention longer, may remove more than `limit`, and may remove
   * in a later sweep what an earlier one was asked for, even if the later one is not.
   */
  sweep(request: SweepRequest, now: EpochMs): Promise<number>;
  /** Deletion requests and suppressed users. Absent: users cannot be deleted or suppressed. */
  readonly deletions?: DeletionStore;
  /**
   * Small records. Absent: only settings can pause a destination, a replay lasts no longer than its request, and servers do not share
   * settings.
   */
  readonly records?: RecordStore;
  /** The changes of lanes. Absent: relays read all lanes at each poll. */
  readonly laneChanges?: LaneChanges;
  /** Calls that hosts make in their own transactions, which relays accept. Absent: the store shares no database with a host. */
  readonly outbox?: Outbox;
  /** The state of lanes that processes on the store share. Absent: this process delivers alone. */
  readonly board?: LaneBoard;
  /** Hints by which processes on the store wake each other. Absent: each finds the deliveries of others at its next poll. */
  readonly hints?: Hints;
  /**
   * The clock of a store that several machines share. Every method then takes its time for `now`, whatever it is given: machines
   * whose clocks differ must not differ about a lease. Relays follow it in what they decide. Absent: `now` is what the caller says.
   */
  readonly clock?: SharedClock;
  /**
   * Present in stores that can end by themselves, such as a store in a thread: calls `listener` once, after the store has ended, with
   * the reason in words; at once if it has ended already, and never if it was closed. From the end on every method rejects as
   * `unavailable`, but for `close`, which resolves.
   */
  onEnd?(listener: (why: string) => void): void;
  close(): Promise<void>;
}

/** The lanes to claim from, and the lease. */
export interface ClaimRequest extends Lease {
  readonly lanes: readonly LaneClaim[];
}

/** The most deliveries to claim of one lane. */
export interface LaneClaim {
  readonly lane: DestinationId;
  readonly limit: number;
  /**
   * The part of `limit` for retries (`rounds > 0`), 0 to `limit`; the rest is for deliveries never tried. If fewer of one
   * kind are due than its share, the other kind gets the rest. Within each kind the earliest due come first; the store chooses
   * how it orders the kinds. Absent: the earliest due deliveries of both kinds are claimed.
   */
  readonly retries?: number;
}

/** The deliveries that are claimed now. */
export interface ClaimResult {
  readonly deliveries: readonly ClaimedDelivery[];
  /** For each named lane, the instant at which its next delivery can be claimed; lanes without unfinished deliveries are absent. */
  readonly nextDueAt: ReadonlyMap<DestinationId, EpochMs>;
}

/** A delivery under a claim, with its body and all that its next round needs. */
export interface ClaimedDelivery {
  readonly id: DeliveryId;
  readonly lane: DestinationId;
  readonly source: SourceId;
  readonly type: MessageType;
  readonly messageId: string;
  readonly acceptedAt: EpochMs;
  /** The instant from which the delivery could be claimed: its due time, or the end of its previous lease. */
  readonly dueAt: EpochMs;
  readonly body: Body;
  /** The number of recorded rounds. */
  readonly rounds: number;
  /** The start of the first recorded attempt; set once, by the first settlement with attempts. */
  readonly firstAttemptAt?: EpochMs;
  readonly endpoints: readonly EndpointState[];
  /** The one that was stored with the message. */
  readonly traceparent?: string;
  readonly leaseUntil: EpochMs;
}

/** The start of a page of lanes, and the most lanes on it. */
export interface LanePageRequest {
  /** The last lane of the previous page. */
  readonly after?: DestinationId;
  readonly limit: number;
}

/** One page of a list of lanes. */
export interface LanePage {
  readonly lanes: readonly LaneRow[];
  /** True if a further page may follow. */
  readonly more: boolean;
}

/** The unfinished deliveries of a lane that become dead without a further round. */
export interface EndRequest {
  readonly lane: DestinationId;
  readonly reason: "expired" | "refused" | "destination-removed";
  /** The detail of the ended deliveries. Absent: each keeps its detail. A purged one keeps its detail in any case. */
  readonly detail?: Detail;
  /** Only deliveries whose first recorded attempt started before this. A delivery without an attempt is not ended. */
  readonly firstAttemptBefore?: EpochMs;
  /** Only deliveries that were accepted before this. */
  readonly acceptedBefore?: EpochMs;
  readonly limit: number;
}

/** The waiting and claimed deliveries of a lane that can be claimed earlier than so far. */
export interface PullInRequest {
  readonly lane: DestinationId;
  readonly dueAfter: EpochMs;
  /** Not later than `dueAfter`. */
  readonly dueAt: EpochMs;
  readonly limit: number;
}

/** The filter of a list of deliveries, and its page. All conditions have to hold. */
export interface ListQuery {
  /** Deliveries in one of these states; in none if the list is empty. */
  readonly states?: readonly DeliveryState[];
  readonly reason?: DeadReason;
  /** Deliveries with one of these details; none if the list is empty, and none without a detail. */
  readonly details?: readonly Detail[];
  readonly source?: SourceId;
  readonly destination?: DestinationId;
  readonly type?: MessageType;
  readonly messageId?: string;
  /** Deliveries of messages of which this is one of the users. A message that was purged has none. */
  readonly userId?: string;
  /** `acceptedSince <= acceptedAt < acceptedBefore`. */
  readonly acceptedSince?: EpochMs;
  readonly acceptedBefore?: EpochMs;
  /** Only deliveries that have not been replayed. */
  readonly notReplayed?: boolean;
  /** The cursor `next` of the previous page. Opaque; an unknown cursor finds nothing. */
  readonly after?: string;
  readonly limit: number;
}

/**
 * A page of deliveries, the one stored last first; deliveries of commits that overlapped have an order that never changes. A store may
 * bound the search for one page: after more than 1,000 deliveries, the page may have fewer than `limit`, or be empty, although there is
 * a next page. Otherwise a page is full as long as there is more, as the contract suite demands. `next` is absent on the last page.
 */
export interface DeliveryPage {
  readonly deliveries: readonly DeliverySummary[];
  readonly next?: string;
}

/** The finished deliveries to remove, and the most of them. */
export interface SweepRequest {
  /** Delivered deliveries that finished before this are removed. */
  readonly deliveredBefore: EpochMs;
  /** Dead deliveries that finished before this are removed. */
  readonly deadBefore: EpochMs;
  readonly limit: number;
}
