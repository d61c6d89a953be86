// The public interface of a relay: the methods that a host may call. They return results and do not throw: each possible
// failure is part of the type.

import type {
  AudienceStore,
  CallKind,
  Clock,
  Counts,
  DeadReason,
  DeliveryId,
  DeliveryPage,
  DeliveryRecord,
  DeliveryStore,
  DestinationId,
  EpochMs,
  Explanation,
  HttpPort,
  LaneStatus,
  ProcessId,
  ListQuery,
  Problem,
  Random,
  Receipt,
  RelayRecorder,
  SeenMessage,
  SeenQuery,
  SourceCounts,
  SourceId,
  Workspace,
} from "@postrider/core";
import type { LaneBounds, SharedFields } from "@postrider/core/engine";
import type { Result, ResultAsync } from "neverthrow";
import type { Audiences, SyncBounds } from "./audiences/audiences.js";
import type { ShownRequests } from "./dispatch/attempt.js";
import type { CheckedSettings } from "./settings-in-force.js";
import type { RelayFault } from "./fault.js";
import type { AdoptedRevision, RelayEvent } from "./relay-event.js";
import type { Logger } from "./log-limit.js";
import type {
  LaneRequests,
  Deletions,
  ReplayJobs,
  UserDataRequests,
  TestFault,
  TestReport,
  TestRequest,
} from "./requests.js";

/** The ports and settings that a relay runs with. */
export interface RelayOptions {
  readonly workspace: Workspace | CheckedSettings;
  readonly store: DeliveryStore;
  /**
   * The store of audiences. If absent, there are no audiences. All relays that share a delivery store must be given the
   * same audience store.
   */
  readonly audiences?: AudienceStore;
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly random: Random;
  /**
   * True if this process delivers, also if absent. With false it stores what it accepts, for other processes on the store, and
   * follows the store's time, lanes and pauses.
   */
  readonly delivers?: boolean;
  /** Receives log entries, for instance failed attempts (warnings) and dead deliveries (errors). */
  readonly logger?: Logger;
  /** Receives each relay event when it happens. An exception that it throws has no effect. */
  readonly observe?: (event: RelayEvent) => void;
  /** The bounds of a lane, beyond which a further delivery is dead(`lane-full`); 1,000,000 deliveries or 4 GiB if absent. */
  readonly laneBounds?: LaneBounds;
  /**
   * The interval in milliseconds at which the store is asked for work that another process has stored; 1,000 if absent. Change it
   * only if no other process uses the store, as in a simulation.
   */
  readonly pollMs?: number;
  /**
   * The time in milliseconds for which settlements wait for others, or for a call, to share a commit; 3 if absent. Calls wait only
   * while a commit is under way. With 0, settlements do not wait either; that is for tests whose clock does not move.
   */
  readonly gatherMs?: number;
  /** The age in milliseconds from which an unanswered request shows that the store is stalled; 3,000 if absent. */
  readonly stallMs?: number;
  /** Records the relay, or replays a recorded one; `recordPorts` and `replayTrace` of `@postrider/relay/trace` supply it. */
  readonly recorder?: RelayRecorder;
  /** The bounds of a sync. Each absent one has a default; with the defaults a sync fits in a quarter of a gigabyte. */
  readonly syncBounds?: Partial<SyncBounds>;
}

/**
 * Calls that came in together. A few hundred are stored in one commit; more calls, or calls that go to many
 * destinations, are stored in several commits, one after the other, and the answer comes after the last commit.
 */
export interface Arrival {
  readonly source: SourceId;
  /** The calls as received, after JSON parsing. The relay neither keeps nor changes these values. */
  readonly calls: readonly unknown[];
  /** Fields of the batch that hold for all of its calls. */
  readonly shared?: SharedFields & {
    readonly sentAt?: EpochMs;
    /** The batch has a `sentAt` that cannot be read. Its calls are accepted with a warning. */
    readonly isSentAtUnread?: true;
  };
  /** The kind of the calls, if the path that received them implies it; a call that names another kind is refused. */
  readonly kind?: CallKind;
  /**
   * If true, receipts list neither deliveries nor filtered units, which would be most of a receipt if there are many
   * destinations.
   */
  readonly isBrief?: boolean;
  /**
   * The span that the calls came in, as a W3C `traceparent`. It is stored with each message, and told in the events of its
   * deliveries, if it is valid and says that the span is recorded; any other text has no effect. `createTracing` of
   * `@postrider/relay/metrics` sets it.
   */
  readonly traceparent?: string;
}

/** The reason for which a delivery was not replayed. */
export interface ReplayFault {
  /**
   * `not-finished`: the delivery is waiting or claimed. `purged`: its body has been removed. `destination-removed`: its
   * destination is not in the settings.
   */
  readonly code: "not-found" | "not-finished" | "purged" | "destination-removed" | RelayFault["code"];
}

/** A request to replay the dead deliveries of one destination that were accepted in `since <= acceptedAt < until`. */
export interface ReplayRequest {
  readonly destination: DestinationId;
  readonly reason?: DeadReason;
  readonly since?: EpochMs;
  readonly until?: EpochMs;
  /** 1 to 10,000; 1,000 if absent. */
  readonly limit?: number;
}

/** The number of deliveries that were replayed, and a flag that more may be left. */
export interface ReplayManyResult {
  readonly replayed: number;
  /**
   * True if more deliveries may be left. To continue, repeat the request: deliveries that were replayed are skipped.
   */
  readonly more: boolean;
}

/** The health of a relay: it accepts calls, or there is a reason for which it does not. */
export type Health =
  | { readonly kind: "healthy" }
  | { readonly kind: "unhealthy"; readonly reason: "unavailable" | "corrupt" | "stalled" | "full" };

/** Accepts calls, delivers them in the background, and answers questions about them. Faults are answered as Results. */
export interface Relay extends Audiences, Deletions, LaneRequests, ReplayJobs, UserDataRequests {
  /** Accepts calls: answers a receipt for each call, in the order of the calls, once all accepted calls are durable. */
  accept(arrival: Arrival): ResultAsync<readonly Receipt[], RelayFault>;
  /**
   * Replaces all settings at once. Invalid ones change nothing. A workspace is checked first, which takes some hundred
   * milliseconds for ten thousand destinations; `checkSettingsInSteps` checks it beforehand, in steps. `adopted` is told in the
   * event and the log.
   */
  configure(settings: Workspace | CheckedSettings, adopted?: AdoptedRevision): Result<void, readonly Problem[]>;
  /** Begins to deliver. */
  start(): void;
  /** Accepts no further call, begins no further work, and resolves once all rounds and other work under way have ended. */
  stop(): Promise<void>;
  /** Replays a delivery that is delivered or dead: a new delivery of the same bytes, with a new window. */
  replay(id: DeliveryId): ResultAsync<DeliveryId, ReplayFault>;
  /** Replays dead deliveries of one destination, the newest first. */
  replayMany(request: ReplayRequest): ResultAsync<ReplayManyResult, ReplayFault>;
  /**
   * Ends waiting deliveries of a destination that was removed from the settings: dead(`destination-removed`). Returns how
   * many: at most 50,000 in one call.
   */
  forget(destination: DestinationId): ResultAsync<number, RelayFault | { readonly code: "destination-in-force" }>;
  /**
   * Sends a test event to each endpoint of a destination and answers with what they answered, within the timeout of a request.
   * It is no delivery: nothing is stored, counted or retried, and no lane changes.
   */
  test(request: TestRequest): ResultAsync<TestReport, TestFault>;
  delivery(id: DeliveryId): ResultAsync<DeliveryRecord | undefined, RelayFault>;
  /** Explains the state of a delivery by what the store and this process know; undefined if there is no such delivery. */
  explain(id: DeliveryId): ResultAsync<Explanation | undefined, RelayFault>;
  /** The requests by which a delivery would go out now, to be shown; undefined if there is no such delivery. Sends nothing. */
  requests(id: DeliveryId): ResultAsync<ShownRequests | undefined, RelayFault>;
  deliveries(query: ListQuery): ResultAsync<DeliveryPage, RelayFault>;
  /** The calls accepted under a messageId within 24 hours, with deliveries or without: at most one of each source. */
  seen(query: SeenQuery): ResultAsync<readonly SeenMessage[], RelayFault>;
  /** The counters of all sources together, read at one moment. */
  stats(): ResultAsync<Counts, RelayFault>;
  /**
   * The counters of each source, read at one moment, for measuring usage. Includes sources that were removed from the
   * settings; a source of which nothing was ever counted is absent.
   */
  usage(): ResultAsync<readonly SourceCounts[], RelayFault>;
  health(): Health;
  /**
   * The state of the lane of each destination in force, in the order of the settings, and of each other lane with deliveries,
   * as far as this process knows.
   */
  lanes(): readonly LaneStatus[];
  /** The settings in force, as the host gave them. */
  workspace(): Workspace;
  /** The id of this process in the store: new with each relay. `Lapses` name it if it did not settle a claim in time. */
  process(): ProcessId;
}
