// The storage port: what a store must keep, and the few questions that the relay asks of it.
// A store decides nothing: it moves state as told, in whole commits, and holds no clock (`now` comes in).
// testkit's contract suite says in tests what these comments say in words.

import type { SourceCounts } from "../delivery/counts.js";
import type {
  DeadReason,
  DeliveryRecord,
  DeliveryState,
  DeliverySummary,
  EndpointState,
  MessageType,
} from "../delivery/delivery.js";
import type { Lease } from "../delivery/lease.js";
import type { Body, DeliveryId, DestinationId, EpochMs, SourceId } from "../ids.js";
import type { Changes, Committed } from "./changes.js";
import type { DeletionStore } from "./deletion-store.js";
import type { SeenMessage, SeenQuery } from "./seen.js";

/**
 * How a store fails, as the `code` of the error that it rejects with.
 * `busy`: nothing was written, try again. `full`: nothing was written, reads still work.
 * `corrupt`: what is stored cannot be trusted, stop. `unavailable`: the outcome is unknown.
 */
export type StoreErrorCode = "busy" | "full" | "corrupt" | "unavailable";

export interface StoreError extends Error {
  readonly code: StoreErrorCode;
}

export interface DeliveryStore {
  /**
   * One durable, atomic commit: all of it or none. Resolves only once it would survive a power cut.
   * A stale settlement is an answer, not a failure: the rest is committed. Byte arrays handed in are not kept.
   */
  commit(changes: Changes, now: EpochMs): Promise<Committed>;
  /**
   * Up to `limit` due deliveries of each named lane, earliest due first, now leased to `token` until `now + leaseMs`.
   * Due is what waits with `dueAt <= now`, and what is claimed under a lease that has ended. Other lanes stay untouched.
   * Where a lane names `retries`, both kinds have their share of `limit`: see there.
   * Of these, what is out of reach is not handed out but dies as purged; then there may be fewer than are due.
   */
  claim(request: ClaimRequest, now: EpochMs): Promise<Claimed>;
  /** A page of the lanes that hold unfinished deliveries, by lane id. Finds work that another process stored. */
  lanes(page: LanePageRequest, now: EpochMs): Promise<LanePage>;
  /**
   * Ends up to `limit` waiting deliveries of a lane that nobody may claim, and those whose lease has ended:
   * they become dead for `reason`. Answers how many. Repeat until fewer than `limit`.
   */
  end(request: EndRequest, now: EpochMs): Promise<number>;
  /**
   * Brings forward to `dueAt` up to `limit` deliveries of a lane that could only be claimed after `dueAfter`: they wait
   * for a time from before the clock was set back. A claimed one stays claimed, under its token. Answers how many.
   * Repeat until fewer than `limit`.
   */
  pullIn(request: PullInRequest, now: EpochMs): Promise<number>;
  find(id: DeliveryId): Promise<DeliveryRecord | undefined>;
  list(query: ListQuery): Promise<DeliveryPage>;
  /**
   * What is seen under an id: of each source at most one message, the one for which a commit at `now` would answer
   * `duplicate` to a further one, and none where it would store that. In any order.
   */
  seen(query: SeenQuery, now: EpochMs): Promise<readonly SeenMessage[]>;
  /** One snapshot, a row for each source ever seen; the law of the counters holds in it. */
  counts(): Promise<readonly SourceCounts[]>;
  /**
   * Removes up to `limit` finished deliveries, with their attempts, and the bodies that no delivery is left to need.
   * Answers how many deliveries. No counter goes down. Repeat until fewer than `limit`.
   */
  sweep(request: SweepRequest, now: EpochMs): Promise<number>;
  /** What it knows of users. Without it, nobody can be deleted or suppressed. */
  readonly deletions?: DeletionStore;
  /**
   * Of a store that can come to an end by itself, such as one in a thread of its own: calls `listener` once that has
   * happened, with the reason in words. From then on every question rejects as `unavailable`.
   */
  onEnd?(listener: (why: string) => void): void;
  close(): Promise<void>;
}

export interface ClaimRequest extends Lease {
  readonly lanes: readonly LaneClaim[];
}

export interface LaneClaim {
  readonly lane: DestinationId;
  readonly limit: number;
  /**
   * How many of `limit` are for deliveries that were tried before (`rounds > 0`), from none to all of them; the rest is for
   * those never tried. Where fewer of one kind are due than its share, the other fills up. Within each kind the earliest
   * due come first; how the kinds follow one another is left to the store. If absent, the earliest due of both.
   */
  readonly retries?: number;
}

export interface Claimed {
  readonly deliveries: readonly ClaimedDelivery[];
  /** For each named lane, when its next delivery is due; a lane with none left is absent. */
  readonly nextDueAt: ReadonlyMap<DestinationId, EpochMs>;
}

export interface ClaimedDelivery {
  readonly id: DeliveryId;
  readonly lane: DestinationId;
  readonly source: SourceId;
  readonly type: MessageType;
  readonly messageId: string;
  readonly acceptedAt: EpochMs;
  /** Since when it could be claimed: when it was due, or the lease before this one ended. */
  readonly dueAt: EpochMs;
  readonly body: Body;
  /** Rounds that are recorded. */
  readonly rounds: number;
  /** The start of the first recorded attempt: written once, by the first settlement that carries attempts. */
  readonly firstAttemptAt?: EpochMs;
  readonly endpoints: readonly EndpointState[];
  readonly leaseUntil: EpochMs;
}

export interface LanePageRequest {
  /** The last lane of the page before. */
  readonly after?: DestinationId;
  readonly limit: number;
}

export interface LanePage {
  readonly lanes: readonly LaneRow[];
  /** Whether a further page may hold more. */
  readonly more: boolean;
}

export interface LaneRow {
  readonly lane: DestinationId;
  /** Unfinished deliveries, claimed ones included, and the bytes of their bodies. */
  readonly deliveries: number;
  readonly bytes: number;
  /** The earliest time at which one can be claimed. */
  readonly nextDueAt: EpochMs;
}

export interface EndRequest {
  readonly lane: DestinationId;
  readonly reason: "expired" | "destination-removed";
  /** Only those whose first recorded attempt lies before this; never one that was not tried. */
  readonly firstAttemptBefore?: EpochMs;
  /** Only those accepted before this. */
  readonly acceptedBefore?: EpochMs;
  readonly limit: number;
}

export interface PullInRequest {
  readonly lane: DestinationId;
  readonly dueAfter: EpochMs;
  /** Not later than `dueAfter`. */
  readonly dueAt: EpochMs;
  readonly limit: number;
}

export interface ListQuery {
  readonly state?: DeliveryState;
  readonly reason?: DeadReason;
  readonly source?: SourceId;
  readonly destination?: DestinationId;
  readonly type?: MessageType;
  readonly messageId?: string;
  /** `acceptedSince <= acceptedAt < acceptedBefore`. */
  readonly acceptedSince?: EpochMs;
  readonly acceptedBefore?: EpochMs;
  /** Leaves out those that have been replayed. */
  readonly notReplayed?: boolean;
  /** A cursor from the page before. Opaque; one that the store did not make finds nothing. */
  readonly after?: string;
  readonly limit: number;
}

/** Newest first. May hold less than was asked for, or nothing, though there is a next one: a search has its bounds. */
export interface DeliveryPage {
  readonly deliveries: readonly DeliverySummary[];
  readonly next?: string;
}

export interface SweepRequest {
  /** Finished before this. */
  readonly deliveredBefore: EpochMs;
  readonly deadBefore: EpochMs;
  readonly limit: number;
}
