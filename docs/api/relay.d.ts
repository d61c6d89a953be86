// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/relay` exports.

import type {
  AttemptRecord,
  AudienceDefinition,
  AudienceRecord,
  AudienceStore,
  CallKind,
  CallWarning,
  Clock,
  Counts,
  DeadReason,
  DeletionId,
  DeletionPage,
  DeletionQuery,
  DeletionRecord,
  DeletionRequest,
  DeliveryId,
  DeliveryPage,
  DeliveryRecord,
  DeliveryStore,
  DeliverySummary,
  Destination,
  DestinationId,
  Detail,
  EndpointId,
  EpochMs,
  Explanation,
  FilteredUnit,
  HttpPort,
  HttpRequest,
  LaneMode,
  LaneStatus,
  ListQuery,
  Member,
  MessageType,
  NotificationKind,
  Problem,
  ProcessId,
  Random,
  Receipt,
  Refusal,
  Regulation,
  RelayRecorder,
  ReplayFilter,
  ReplayJob,
  ReplayJobId,
  ScheduleFault,
  SeenMessage,
  SeenQuery,
  SourceCounts,
  SourceId,
  StaticHeader,
  StoreErrorCode,
  SyncReport,
  Workspace,
} from "@postrider/core";
import type { LaneBounds, SharedFields, Steps } from "@postrider/core/engine";
import type { Result, ResultAsync } from "neverthrow";

export interface AdoptedRevision {
  readonly revision: number;
  readonly actor?: string;
}

export interface Arrival {
  readonly source: SourceId;
  readonly calls: readonly unknown[];
  readonly shared?: SharedFields & {
    readonly sentAt?: EpochMs;
    readonly isSentAtUnread?: true;
  };
  readonly kind?: CallKind;
  readonly isBrief?: boolean;
  readonly traceparent?: string;
}

export type AudienceFault =
  | {
      readonly code: "empty-name" | "name-too-long" | "unknown-audience" | "not-supported" | RelayFault["code"];
    }
  | {
      readonly code: "key-taken";
      readonly key: string;
    }
  | {
      readonly code: "unknown-destination";
      readonly destination: DestinationId;
    };

export interface Audiences {
  createAudience(definition: AudienceDefinition): ResultAsync<AudienceRecord, AudienceFault>;
  setAudienceDestinations(
    key: string,
    destinations: readonly DestinationId[],
  ): ResultAsync<AudienceRecord, AudienceFault>;
  audiences(): ResultAsync<readonly AudienceRecord[], RelayFault>;
  audience(key: string): ResultAsync<AudienceRecord | undefined, RelayFault>;
  syncAudience(key: string, members: Members, options?: SyncOptions): ResultAsync<SyncReport, SyncFault>;
}

export interface CheckedSettings extends SettingsIndex {
  readonly kind: "checked";
}

export type DeletionFault =
  | {
      readonly code: "refused";
      readonly problems: readonly Problem[];
    }
  | {
      readonly code: "not-supported" | "busy" | "full" | RelayFault["code"];
    };

export interface Deletions {
  requestDeletion(request: DeletionRequest): ResultAsync<DeletionId, DeletionFault>;
  deletion(id: DeletionId): ResultAsync<DeletionRecord | undefined, RelayFault>;
  deletionRequests(query: DeletionQuery): ResultAsync<DeletionPage, RelayFault>;
  suppressed(query: { readonly after?: string; readonly limit: number }): ResultAsync<readonly string[], RelayFault>;
}

export interface FairQueue {
  queue(owner: string): QueuedTurn | undefined;
  close(): void;
  isClosed(): boolean;
}

export type Health =
  | {
      readonly kind: "healthy";
    }
  | {
      readonly kind: "unhealthy";
      readonly reason: "unavailable" | "corrupt" | "stalled" | "full";
    };

export type LaneFault =
  | {
      readonly code: "unknown-destination" | "not-supported";
    }
  | {
      readonly code: "not-probed";
      readonly mode: LaneMode;
    }
  | RelayFault;

export interface LaneRequests {
  pause(destination: DestinationId): ResultAsync<LaneStatus, LaneFault>;
  resume(destination: DestinationId): ResultAsync<LaneStatus, LaneFault>;
  probe(destination: DestinationId): ResultAsync<LaneStatus, LaneFault>;
}

export interface LogEntry {
  readonly code: string;
  readonly source?: string;
  readonly delivery?: string;
  readonly destination?: string;
  readonly endpoint?: string;
  readonly deletion?: string;
  readonly job?: string;
  readonly audience?: string;
  readonly detail?: string;
  readonly count?: number;
  readonly members?: number;
  readonly changes?: number;
  readonly durationMs?: number;
  readonly suppressed?: number;
}

export type LogLevel = "info" | "warning" | "error";

export interface Logger {
  log(level: LogLevel, entry: LogEntry): void;
}

export type Members = Iterable<Member | string> | AsyncIterable<Member | string>;

export interface Membership {
  readonly kind: "membership";
  readonly audience: Pick<AudienceRecord, "key" | "name" | "kind">;
  readonly isCurrent: boolean;
  readonly destinations: readonly DestinationId[];
  readonly value?: string;
}

export interface Relay extends Audiences, Deletions, LaneRequests, ReplayJobs, UserDataRequests {
  accept(arrival: Arrival): ResultAsync<readonly Receipt[], RelayFault>;
  configure(settings: Workspace | CheckedSettings, adopted?: AdoptedRevision): Result<void, readonly Problem[]>;
  start(): void;
  stop(): Promise<void>;
  replay(id: DeliveryId): ResultAsync<DeliveryId, ReplayFault>;
  replayMany(request: ReplayRequest): ResultAsync<ReplayManyResult, ReplayFault>;
  forget(destination: DestinationId): ResultAsync<
    number,
    | RelayFault
    | {
        readonly code: "destination-in-force";
      }
  >;
  test(request: TestRequest): ResultAsync<TestReport, TestFault>;
  delivery(id: DeliveryId): ResultAsync<DeliveryRecord | undefined, RelayFault>;
  explain(id: DeliveryId): ResultAsync<Explanation | undefined, RelayFault>;
  requests(id: DeliveryId): ResultAsync<ShownRequests | undefined, RelayFault>;
  deliveries(query: ListQuery): ResultAsync<DeliveryPage, RelayFault>;
  seen(query: SeenQuery): ResultAsync<readonly SeenMessage[], RelayFault>;
  stats(): ResultAsync<Counts, RelayFault>;
  usage(): ResultAsync<readonly SourceCounts[], RelayFault>;
  health(): Health;
  lanes(): readonly LaneStatus[];
  workspace(): Workspace;
  process(): ProcessId;
}

export type RelayEvent = (EventFacts | Measurement) & {
  readonly at: EpochMs;
};

export interface RelayFault {
  readonly code: "unavailable" | "corrupt" | "stopped";
}

export interface RelayOptions {
  readonly workspace: Workspace | CheckedSettings;
  readonly store: DeliveryStore;
  readonly audiences?: AudienceStore;
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly random: Random;
  readonly delivers?: boolean;
  readonly logger?: Logger;
  readonly observe?: (event: RelayEvent) => void;
  readonly laneBounds?: LaneBounds;
  readonly pollMs?: number;
  readonly gatherMs?: number;
  readonly stallMs?: number;
  readonly recorder?: RelayRecorder;
  readonly syncBounds?: Partial<SyncBounds>;
}

export interface ReplayFault {
  readonly code: "not-found" | "not-finished" | "purged" | "destination-removed" | RelayFault["code"];
}

export type ReplayJobFault =
  | {
      readonly code: "not-supported" | "not-found" | "destination-removed" | "too-many-jobs";
    }
  | RelayFault;

export interface ReplayJobs {
  previewReplay(filter: ReplayFilter): ResultAsync<ReplayPreview, ReplayJobFault>;
  startReplay(filter: ReplayFilter): ResultAsync<ReplayJob, ReplayJobFault>;
  cancelReplay(id: ReplayJobId): ResultAsync<ReplayJob, ReplayJobFault>;
  replayJob(id: ReplayJobId): ResultAsync<ReplayJob, ReplayJobFault>;
  replayJobs(): ResultAsync<readonly ReplayJob[], ReplayJobFault>;
}

export interface ReplayPreview {
  readonly deliveries: number;
  readonly oldest?: EpochMs;
  readonly newest?: EpochMs;
  readonly byDestination: ReadonlyMap<DestinationId, number>;
  readonly byReason: ReadonlyMap<DeadReason | "delivered", number>;
  readonly outOfReach: Readonly<Record<"purged" | "destination-removed", number>>;
  readonly examples: readonly DeliverySummary[];
  readonly isWhole: boolean;
}

export interface ReplayRequest {
  readonly destination: DestinationId;
  readonly reason?: DeadReason;
  readonly since?: EpochMs;
  readonly until?: EpochMs;
  readonly limit?: number;
}

export type SyncFault =
  | {
      readonly code: "unknown-audience" | "sync-running" | "members-failed" | "not-supported" | RelayFault["code"];
    }
  | {
      readonly code: "bad-member";
      readonly index: number;
      readonly expected: string;
    }
  | {
      readonly code: "would-remove";
      readonly members: number;
      readonly entered: number;
      readonly departed: number;
    };

export interface SyncOptions {
  readonly onProgress?: (progress: SyncProgress) => void;
  readonly confirmRemove?: number;
}

export interface SyncProgress {
  readonly phase: "collecting" | "merging" | "comparing" | "sending";
  readonly done: number;
  readonly total?: number;
}

export type TestFault =
  | {
      readonly code: "unknown-destination" | "too-many-tests";
    }
  | {
      readonly code: "refused";
      readonly refusal: Refusal;
    }
  | RelayFault;

export interface TestReport {
  readonly destination: DestinationId;
  readonly messageId: string;
  readonly attempts: readonly TestAttempt[];
}

export interface TestRequest {
  readonly destination: DestinationId;
  readonly call?: unknown;
}

export type UserDataCursor =
  | {
      readonly part: "suppression";
      readonly after?: string;
    }
  | {
      readonly part: "requests";
      readonly after?: DeletionId;
    }
  | {
      readonly part: "memberships";
      readonly after?: string;
    }
  | {
      readonly part: "deliveries";
      readonly after?: string;
    };

export interface UserDataPage {
  readonly data: readonly UserDatum[];
  readonly next?: UserDataCursor;
}

export interface UserDataQuery {
  readonly userId: string;
  readonly after?: UserDataCursor;
}

export interface UserDataRequests {
  userData(query: UserDataQuery): ResultAsync<UserDataPage, RelayFault>;
}

export type UserDatum =
  | {
      readonly kind: "suppression";
    }
  | {
      readonly kind: "deletion-request";
      readonly request: DeletionRecord;
    }
  | Membership
  | {
      readonly kind: "delivery";
      readonly delivery: DeliveryRecord;
    };

export declare function checkSettings(workspace: Workspace): Result<CheckedSettings, readonly Problem[]>;

export declare function checkSettingsInSteps(workspace: Workspace): Steps<Result<CheckedSettings, readonly Problem[]>>;

export declare function createFairQueue({ atOnce, inAll, ofOwner }?: FairQueueBounds): FairQueue;

export declare function createNextLoopTurn(clock: Pick<Clock, "after">, limit: number): () => Promise<void>;

export declare function createRelay(options: RelayOptions): Relay;

// Not exported by name, but part of what is.

interface DeliveryInEvent {
  readonly delivery: DeliveryId;
  readonly destination: DestinationId;
  readonly source: SourceId;
  readonly type: MessageType;
  readonly messageId: string;
  readonly acceptedAt: EpochMs;
  readonly rounds: number;
  readonly traceparent?: string;
}

interface DestinationInForce {
  readonly destination: Destination;
  readonly endpoints: readonly EndpointId[];
  readonly headers: ReadonlyMap<EndpointId, readonly StaticHeader[]>;
}

type EventFacts =
  | {
      readonly kind: "accepted";
      readonly source: SourceId;
      readonly messageId: string;
      readonly deliveries: readonly DeliveryId[];
      readonly filtered: readonly FilteredUnit[];
      readonly warnings?: readonly CallWarning[];
    }
  | {
      readonly kind: "duplicate";
      readonly source: SourceId;
      readonly messageId: string;
    }
  | {
      readonly kind: "suppressed";
      readonly source: SourceId;
      readonly messageId: string;
    }
  | {
      readonly kind: "outdated";
      readonly source: SourceId;
      readonly messageId: string;
    }
  | {
      readonly kind: "refused";
      readonly source: SourceId;
      readonly messageId?: string;
      readonly refusal: Refusal;
    }
  | {
      readonly kind: "slip";
      readonly source: SourceId;
      readonly slip: Slip;
    }
  | {
      readonly kind: "shed";
      readonly source: SourceId;
      readonly calls: number;
    }
  | ({
      readonly kind: "attempted";
      readonly attempt: AttemptRecord;
      readonly isLate: boolean;
    } & DeliveryInEvent)
  | ({
      readonly kind: "delivered";
      readonly detail: Detail;
    } & DeliveryInEvent)
  | ({
      readonly kind: "rescheduled";
      readonly dueAt: EpochMs;
      readonly detail: Detail;
    } & DeliveryInEvent)
  | ({
      readonly kind: "released";
      readonly dueAt: EpochMs;
    } & DeliveryInEvent)
  | ({
      readonly kind: "died";
      readonly reason: DeadReason;
      readonly detail: Detail | null;
    } & DeliveryInEvent)
  | ({
      readonly kind: "replayed";
      readonly of: DeliveryId;
    } & DeliveryInEvent)
  | ({
      readonly kind: "stale";
    } & DeliveryInEvent)
  | ({
      readonly kind: "schedule-fault";
      readonly schedule: string;
      readonly fault: ScheduleFault;
    } & DeliveryInEvent)
  | ({
      readonly kind: "local-fault";
    } & DeliveryInEvent)
  | {
      readonly kind: "orphaned";
      readonly destination: DestinationId;
      readonly deliveries: number;
    }
  | {
      readonly kind: "outbox-waits";
      readonly source: SourceId;
      readonly calls: number;
    }
  | {
      readonly kind: "lane-held";
      readonly destination: DestinationId;
    }
  | {
      readonly kind: "lane-blocked";
      readonly destination: DestinationId;
    }
  | {
      readonly kind: "lane-open";
      readonly destination: DestinationId;
    }
  | {
      readonly kind: "lane-paused" | "lane-resumed";
      readonly destination: DestinationId;
    }
  | {
      readonly kind: "ended";
      readonly destination: DestinationId;
      readonly reason: "expired" | "refused" | "destination-removed";
      readonly deliveries: number;
    }
  | {
      readonly kind: "pulled-in";
      readonly destination: DestinationId;
      readonly deliveries: number;
    }
  | {
      readonly kind: "deletion-requested";
      readonly deletion: DeletionId;
      readonly regulation: Regulation;
      readonly users: number;
    }
  | {
      readonly kind: "purged";
      readonly deletion: DeletionId;
      readonly deliveries: number;
    }
  | {
      readonly kind: "deletion-finished";
      readonly deletion: DeletionId;
    }
  | {
      readonly kind: "synced";
      readonly audience: string;
      readonly report: SyncReport;
    }
  | {
      readonly kind: "replay-job-done";
      readonly job: ReplayJobId;
      readonly replayed: number;
      readonly skipped: number;
    }
  | {
      readonly kind: "swept";
      readonly deliveries: number;
    }
  | {
      readonly kind: "store-fault";
      readonly code: StoreErrorCode;
      readonly why?: string;
    }
  | {
      readonly kind: "store-ended";
      readonly why: string;
    }
  | {
      readonly kind: "store-stalled";
      readonly forMs: number;
    }
  | {
      readonly kind: "store-answers";
      readonly afterMs: number;
    }
  | {
      readonly kind: "notification-sent";
      readonly hook: number;
      readonly notification: NotificationKind;
    }
  | {
      readonly kind: "notification-failed";
      readonly hook: number;
      readonly notification: NotificationKind;
      readonly detail: Detail;
    }
  | ({
      readonly kind: "configured";
    } & Partial<AdoptedRevision>);

interface FairQueueBounds {
  readonly atOnce: number;
  readonly inAll: number;
  readonly ofOwner: number;
}

type Measurement =
  | {
      readonly kind: "committed";
      readonly calls: number;
      readonly settlements: number;
      readonly ms: number;
    }
  | {
      readonly kind: "claimed";
      readonly destination: DestinationId;
      readonly deliveries: number;
      readonly overdueMs: number;
    }
  | {
      readonly kind: "answered";
      readonly route: string;
      readonly status: number;
      readonly ms: number;
    };

interface QueuedTurn {
  readonly begins: Promise<void>;
  end(): void;
}

interface ReplayManyResult {
  readonly replayed: number;
  readonly more: boolean;
}

interface SettingsIndex {
  readonly workspace: Workspace;
  readonly destinations: ReadonlyMap<DestinationId, DestinationInForce>;
  readonly connected: ReadonlyMap<SourceId, readonly Destination[]>;
}

type ShownRequests =
  | {
      readonly kind: "shown";
      readonly requests: readonly HttpRequest[];
    }
  | {
      readonly kind: "purged" | "destination-removed";
    };

type Slip = `${CallKind}-${"traits" | "properties"}` | "all-in-another-case";

interface SyncBounds {
  readonly chunkMembers: number;
  readonly runChunks: number;
  readonly appendMembers: number;
  readonly mergeRuns: number;
  readonly stepChanges: number;
  readonly laneDeliveries: number;
}

interface TestAttempt extends Omit<AttemptRecord, "round" | "verdict"> {
  readonly verdict: AttemptRecord["verdict"] | "local";
  readonly excerpt: Uint8Array;
}

export {};
