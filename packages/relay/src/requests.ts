// Declares the requests of a host to a relay besides calls, and their faults: requests about users and for the data of one, the
// lane of a destination, replay jobs, test events (spec, webhook destination §1; decision: deletion).

import type {
  DeletionId,
  DeletionPage,
  DeletionQuery,
  DeletionRecord,
  DeletionRequest,
  Problem,
  AudienceRecord,
  DeliveryRecord,
  DestinationId,
  LaneMode,
  LaneStatus,
  DeadReason,
  DeliverySummary,
  EpochMs,
  ReplayFilter,
  ReplayJob,
  ReplayJobId,
  AttemptRecord,
  Refusal,
} from "@postrider/core";
import type { ResultAsync } from "neverthrow";
import type { RelayFault } from "./fault.js";

/**
 * `refused`: the request is invalid, and nothing has changed. `not-supported`: the store does not support requests
 * about users. `busy` and `full`: nothing has changed, ask again later. `unavailable`: the request may be in force. To
 * repeat it does no harm, except that destinations may get a second notice for each user.
 */
export type DeletionFault =
  | { readonly code: "refused"; readonly problems: readonly Problem[] }
  | { readonly code: "not-supported" | "busy" | "full" | RelayFault["code"] };

/**
 * The methods of a relay for requests about users. If the store does not support such requests, `requestDeletion` fails
 * with `not-supported` and the other methods find nothing.
 */
export interface Deletions {
  /**
   * Stores a request to delete or to suppress users. The request is in force once the promise resolves: if it deletes,
   * stored deliveries about these users are not sent any more, except in rounds under way; if it suppresses, calls
   * about these users are not accepted. Bodies are purged and notices sent afterwards, also after a restart; `deletion`
   * answers the progress.
   */
  requestDeletion(request: DeletionRequest): ResultAsync<DeletionId, DeletionFault>;
  deletion(id: DeletionId): ResultAsync<DeletionRecord | undefined, RelayFault>;
  /** The requests, newest first, without the ids of their users. */
  deletionRequests(query: DeletionQuery): ResultAsync<DeletionPage, RelayFault>;
  /** The suppressed users after `after`, in an order that the store chooses. */
  suppressed(query: { readonly after?: string; readonly limit: number }): ResultAsync<readonly string[], RelayFault>;
}

/** A thing that is held of a user. */
export type UserDatum =
  /** The user's calls are not accepted. */
  | { readonly kind: "suppression" }
  /** A request that names the user and is not finished yet; a finished one names no user. `userIds` is empty. */
  | { readonly kind: "deletion-request"; readonly request: DeletionRecord }
  | Membership
  /** A delivery of a message of which this is one of the users. */
  | { readonly kind: "delivery"; readonly delivery: DeliveryRecord };

/** A user is a member of an audience, or has a value of a computed trait, in one of its stored sets. */
export interface Membership {
  readonly kind: "membership";
  readonly audience: Pick<AudienceRecord, "key" | "name" | "kind">;
  /** True if the set is that of the last complete upload; if not, it is one that destinations were told before. */
  readonly isCurrent: boolean;
  /** The destinations that were told so. */
  readonly destinations: readonly DestinationId[];
  /** The value of a computed trait, as JSON text. */
  readonly value?: string;
}

/** The end of a page of user data. Its content may change; to be passed on as it is. */
export type UserDataCursor =
  | { readonly part: "suppression"; readonly after?: string }
  | { readonly part: "requests"; readonly after?: DeletionId }
  | { readonly part: "memberships"; readonly after?: string }
  | { readonly part: "deliveries"; readonly after?: string };

/** A request for a page of user data. */
export interface UserDataQuery {
  readonly userId: string;
  /** The cursor `next` of the previous page. */
  readonly after?: UserDataCursor;
}

/** A page of user data. It may be empty although there is a next page; `next` is absent on the last one. */
export interface UserDataPage {
  readonly data: readonly UserDatum[];
  readonly next?: UserDataCursor;
}

/** The methods of a relay for the data of a user. */
export interface UserDataRequests {
  /**
   * A page of all that the stores hold of a user: suppression, unfinished requests, audiences, deliveries, in this order. The
   * pages are read one after the other, and show what is held while each is read.
   */
  userData(query: UserDataQuery): ResultAsync<UserDataPage, RelayFault>;
}

/** Requests about the lane of one destination. Each answers with the state of the lane afterwards. */
export interface LaneRequests {
  /**
   * Pauses a destination of the settings: its deliveries wait, and their windows run on. The store keeps the pause, so that it
   * outlives the process and any change of the settings; other processes on the store obey it from their next poll on. Rounds
   * under way end. Changes nothing if an operator has paused it before.
   */
  pause(destination: DestinationId): ResultAsync<LaneStatus, LaneFault>;
  /** Ends the pause of an operator. A pause of the settings stays: `pausedBy` of the answer says so. */
  resume(destination: DestinationId): ResultAsync<LaneStatus, LaneFault>;
  /** Has the next probe of a lane that is held or blocked sent now, if a delivery waits. */
  probe(destination: DestinationId): ResultAsync<LaneStatus, LaneFault>;
}

/**
 * The reason for which a request about a lane was refused. `unknown-destination`: it is not in the settings, and no operator has
 * paused it. `not-supported`: the store keeps no pauses. `not-probed`: the lane is in a mode that sends no probes.
 */
export type LaneFault =
  | { readonly code: "unknown-destination" | "not-supported" }
  | { readonly code: "not-probed"; readonly mode: LaneMode }
  | RelayFault;

/**
 * Replays all deliveries that meet a filter, as a job that outlives the process: any process on the store carries it
 * on. A job leaves room in the lanes: where a lane is long, it waits.
 */
export interface ReplayJobs {
  /** The deliveries that a job with this filter would replay at this time. Changes nothing. */
  previewReplay(filter: ReplayFilter): ResultAsync<ReplayPreview, ReplayJobFault>;
  /** Creates a job, and answers before it has replayed anything. Deliveries that were accepted from now on are left alone. */
  startReplay(filter: ReplayFilter): ResultAsync<ReplayJob, ReplayJobFault>;
  /** Ends a running job: a commit under way is the last. A job that has ended stays as it is. */
  cancelReplay(id: ReplayJobId): ResultAsync<ReplayJob, ReplayJobFault>;
  replayJob(id: ReplayJobId): ResultAsync<ReplayJob, ReplayJobFault>;
  /** All jobs that are kept, the latest first: at most about 1,000, of which those that ended first are removed. */
  replayJobs(): ResultAsync<readonly ReplayJob[], ReplayJobFault>;
}

/** The deliveries that meet a filter. */
export interface ReplayPreview {
  /** The number that can be replayed. Of a delivered one whose body was purged only the replay shows that it cannot. */
  readonly deliveries: number;
  /** The instants at which the first and the last of them were accepted; absent if there are none. */
  readonly oldest?: EpochMs;
  readonly newest?: EpochMs;
  readonly byDestination: ReadonlyMap<DestinationId, number>;
  /** By why they are dead; `delivered` for those that are not. */
  readonly byReason: ReadonlyMap<DeadReason | "delivered", number>;
  /** The number of those that meet the filter and cannot be replayed, by the reason. */
  readonly outOfReach: Readonly<Record<"purged" | "destination-removed", number>>;
  /** The latest of those that can be replayed, at most five. */
  readonly examples: readonly DeliverySummary[];
  /** False if there are more deliveries than a preview looks at, which is 1,000,000. */
  readonly isWhole: boolean;
}

/**
 * The reason for which a request about replay jobs was refused. `not-supported`: the store keeps no replay jobs.
 * `destination-removed`: the destination of the filter is not in the settings. `too-many-jobs`: 1,000 jobs are running.
 */
export type ReplayJobFault =
  { readonly code: "not-supported" | "not-found" | "destination-removed" | "too-many-jobs" } | RelayFault;

/** A request for a test event. */
export interface TestRequest {
  /** A destination in force; it may be switched off or paused, and its lane may be held. */
  readonly destination: DestinationId;
  /** The call that is sent, as a host would send it; a track call "Test Event" if absent. */
  readonly call?: unknown;
}

/** The answer of one endpoint to a test event. */
export interface TestAttempt extends Omit<AttemptRecord, "round" | "verdict"> {
  /** The verdict that a delivery would get; `local`: a fault of this machine, which says nothing about the receiver. */
  readonly verdict: AttemptRecord["verdict"] | "local";
  /** The first bytes of the answer's body, at most 4,096; empty on 2xx and without an answer. */
  readonly excerpt: Uint8Array;
}

/** The result of a test event. */
export interface TestReport {
  readonly destination: DestinationId;
  /** A new id, also if the call has one: a receiver would ignore a message that it has seen. */
  readonly messageId: string;
  /** One for each endpoint, in the order of the settings. */
  readonly attempts: readonly TestAttempt[];
}

/**
 * The reason for which nothing was sent. `unknown-destination`: it is not in the settings. `refused`: the call would not be
 * accepted. `too-many-tests`: 4 test events are under way.
 */
export type TestFault =
  | { readonly code: "unknown-destination" | "too-many-tests" }
  | { readonly code: "refused"; readonly refusal: Refusal }
  | RelayFault;
