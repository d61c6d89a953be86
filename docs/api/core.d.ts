// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/core` exports.

export type AcceptResult =
  | {
      readonly kind: "stored";
      readonly deliveries: readonly DeliveryId[];
    }
  | {
      readonly kind: "duplicate";
    }
  | {
      readonly kind: "suppressed";
    }
  | {
      readonly kind: "outdated";
    };

export interface AttemptRecord {
  readonly round: number;
  readonly endpoint: EndpointId;
  readonly startedAt: EpochMs;
  readonly durationMs: number;
  readonly result: AttemptResult;
  readonly verdict: Verdict;
}

export type AttemptResult =
  | {
      readonly kind: "answered";
      readonly status: number;
    }
  | {
      readonly kind: "silent";
      readonly fault: Fault;
    };

export interface AudienceDefinition {
  readonly name: string;
  readonly kind: "audience" | "trait";
  readonly sendsAs: "identify" | "track";
  readonly destinations: readonly DestinationId[];
}

export interface AudienceRecord extends AudienceDefinition {
  readonly key: string;
  readonly id: string;
  readonly createdAt: EpochMs;
  readonly revision: number;
  readonly syncs: number;
  readonly running: RunningSync | null;
  readonly last: SyncReport | null;
  readonly told: readonly SentSnapshot[];
  readonly current?: string;
  readonly erased?: number;
}

export interface AudienceStore {
  readonly records: RecordStore;
  append(set: string, members: readonly Member[]): Promise<void>;
  read(set: string, after?: string): Promise<readonly Member[]>;
  sets(prefix: string): Promise<readonly string[]>;
  drop(set: string): Promise<boolean>;
  erase(set: string, userIds: readonly string[]): Promise<number>;
  scrub(): Promise<boolean>;
  close(): Promise<void>;
}

export interface BeatRequest {
  readonly process: ProcessId;
  readonly share: number;
  readonly liveForMs: number;
  readonly since?: string;
  readonly limit: number;
}

export interface BoardHold {
  readonly endpoint: EndpointId;
  readonly until: EpochMs;
}

export interface BoardNews {
  readonly processes: readonly BoardProcess[];
  readonly rows: readonly BoardRow[];
  readonly next: string;
  readonly more: boolean;
}

export interface BoardProcess {
  readonly process: ProcessId;
  readonly share: number;
}

export interface BoardRow {
  readonly lane: DestinationId;
  readonly revision: number;
  readonly limit?: number;
  readonly backoff?: BoardBackoff;
  readonly tokens?: BoardTokens;
  readonly holds: readonly BoardHold[];
}

export interface BoardTokens {
  readonly left: number;
  readonly at: EpochMs;
}

export type Body = Brand<Uint8Array, "Body">;

export declare const CALL_KINDS: readonly ["identify", "track", "page", "screen", "group", "alias"];

export type Call = IdentifyCall | TrackCall | PageCall | ScreenCall | GroupCall | AliasCall;

export interface CallChange {
  readonly keep: readonly KeptCall[];
  readonly drop: readonly string[];
}

export interface CallCounts {
  readonly source: SourceId;
  readonly refused: number;
  readonly suppressed: number;
  readonly shed: number;
}

export type CallKind = (typeof CALL_KINDS)[number];

export interface CallStorage {
  readonly maxCalls: number;
  load(request: KeptCallPageRequest): Promise<KeptCallPage>;
  change(change: CallChange): Promise<number>;
  watch?(listener: () => void): void;
}

export interface CallWarning {
  readonly code: (typeof WARNING_CODES)[number];
  readonly path: string;
}

export type Cancel = () => void;

export interface ChangedLanes {
  readonly lanes: readonly LaneRow[];
  readonly emptied: readonly DestinationId[];
  readonly mark: LaneMark;
  readonly more: boolean;
}

export interface Changes {
  readonly accept: readonly NewMessage[];
  readonly settle: readonly Settlement[];
  readonly replay: readonly Replay[];
  readonly append: readonly {
    readonly id: DeliveryId;
    readonly attempt: AttemptRecord;
  }[];
  readonly tally: readonly CallCounts[];
  readonly notified?: readonly NoticeProgress[];
  readonly lease: Lease;
}

export interface ClaimRequest extends Lease {
  readonly lanes: readonly LaneClaim[];
}

export interface ClaimResult {
  readonly deliveries: readonly ClaimedDelivery[];
  readonly nextDueAt: ReadonlyMap<DestinationId, EpochMs>;
}

export interface ClaimedDelivery {
  readonly id: DeliveryId;
  readonly lane: DestinationId;
  readonly source: SourceId;
  readonly type: MessageType;
  readonly messageId: string;
  readonly acceptedAt: EpochMs;
  readonly dueAt: EpochMs;
  readonly body: Body;
  readonly rounds: number;
  readonly firstAttemptAt?: EpochMs;
  readonly endpoints: readonly EndpointState[];
  readonly traceparent?: string;
  readonly leaseUntil: EpochMs;
}

export interface Clock {
  wall(): EpochMs;
  monotonic(): MonoMs;
  after(delayMs: number, wake: () => void): Cancel;
}

export interface CommitResult {
  readonly accepted: readonly AcceptResult[];
  readonly replayed: readonly (DeliveryId | undefined)[];
  readonly settled: readonly SettleResult[];
  readonly appended: readonly ("appended" | "gone")[];
}

export interface Connection {
  readonly source: SourceId;
  readonly mode: "cloud" | "device";
}

export interface Counts {
  readonly accepted: number;
  readonly filtered: number;
  readonly waiting: number;
  readonly claimed: number;
  readonly delivered: number;
  readonly dead: number;
  readonly received: number;
  readonly refused: number;
  readonly duplicates: number;
  readonly suppressed: number;
  readonly shed: number;
}

export declare const DEAD_REASONS: readonly ["expired", "refused", "lane-full", "purged", "destination-removed"];

export declare const DEDUPE_WINDOW_MS = 86400000;

export declare const DEFAULT_DELIVERY: DeliveryPolicy;

export declare const DEFAULT_RETENTION: Retention;

export declare const DEFAULT_RETRY_POLICY: RetryPolicy;

export declare const DELIVERY_EVENTS: readonly ["claimed", "delivered", "rescheduled", "released", "died", "ended"];

export declare const DELIVERY_STATES: readonly ["waiting", "claimed", "delivered", "dead"];

export declare const DELIVERY_TABLE: Readonly<
  Record<DeliveryState, Readonly<Partial<Record<DeliveryEvent, DeliveryState>>>>
>;

export type DeadReason = (typeof DEAD_REASONS)[number];

export type DeletionId = Brand<string, "DeletionId">;

export interface DeletionPage {
  readonly deletions: readonly DeletionRecord[];
  readonly more: boolean;
}

export interface DeletionQuery {
  readonly unfinished?: boolean;
  readonly after?: DeletionId;
  readonly limit: number;
}

export interface DeletionRecord {
  readonly id: DeletionId;
  readonly number: number;
  readonly regulation: Regulation;
  readonly sources: readonly SourceId[] | null;
  readonly requestedAt: EpochMs;
  readonly finishedAt?: EpochMs;
  readonly users: number;
  readonly userIds: readonly string[];
  readonly notified: number;
  readonly isPurged: boolean;
  readonly purged: number;
  readonly notices: readonly NoticeCounts[];
}

export interface DeletionRequest {
  readonly userIds: readonly string[];
  readonly regulation: Regulation;
  readonly sources?: readonly SourceId[];
}

export type DeletionStep = "purge" | "notify" | "finish" | "none";

export interface DeletionStore {
  open(deletion: NewDeletion, now: EpochMs): Promise<void>;
  purge(
    slice: {
      readonly id: DeletionId;
      readonly limit: number;
    },
    now: EpochMs,
  ): Promise<{
    readonly isDone: boolean;
  }>;
  finish(id: DeletionId, now: EpochMs): Promise<boolean>;
  find(id: DeletionId): Promise<DeletionRecord | undefined>;
  list(query: DeletionQuery): Promise<DeletionPage>;
  suppressed(query: { readonly after?: string; readonly limit: number }): Promise<readonly string[]>;
}

export type DeliveryEvent = (typeof DELIVERY_EVENTS)[number];

export type DeliveryId = Brand<string, "DeliveryId">;

export interface DeliveryPage {
  readonly deliveries: readonly DeliverySummary[];
  readonly next?: string;
}

export interface DeliveryPolicy extends RetryPolicy {
  readonly timeoutMs: number;
  readonly leaseMs: number;
  readonly historicalAfterMs: number;
}

export type DeliveryReason =
  | {
      readonly kind: "delivered";
      readonly attempt?: AttemptRecord;
    }
  | {
      readonly kind: "expired";
      readonly attempt?: AttemptRecord;
      readonly others: readonly AttemptRecord[];
      readonly windowEndsAt?: EpochMs;
      readonly isCutShort: boolean;
      readonly closedNow?: LaneClosure;
    }
  | {
      readonly kind: "refused";
      readonly attempts: readonly AttemptRecord[];
      readonly isFinal: boolean;
    }
  | {
      readonly kind: "never-allowed";
    }
  | {
      readonly kind: "lane-full";
      readonly closedNow?: LaneClosure;
    }
  | {
      readonly kind: "purged";
    }
  | {
      readonly kind: "destination-removed";
    }
  | {
      readonly kind: "not-in-settings";
      readonly endsAt: EpochMs;
    }
  | {
      readonly kind: "off";
    }
  | {
      readonly kind: "paused";
      readonly by: readonly PausedBy[];
    }
  | {
      readonly kind: "blocked";
      readonly backoff: LaneBackoff;
    }
  | {
      readonly kind: "held" | "refusing";
      readonly backoff: LaneBackoff;
    }
  | {
      readonly kind: "endpoint-holds";
      readonly holds: readonly EndpointHold[];
      readonly until: EpochMs;
    }
  | {
      readonly kind: "backoff";
      readonly attempt: AttemptRecord;
      readonly others: readonly AttemptRecord[];
      readonly leftOut: readonly EndpointId[];
      readonly holds: readonly EndpointHold[];
      readonly dueAt: EpochMs;
    }
  | {
      readonly kind: "not-due";
      readonly dueAt: EpochMs;
    }
  | {
      readonly kind: "rate-limit";
      readonly nextAt: EpochMs;
    }
  | {
      readonly kind: "lane-busy";
      readonly deliveries: number;
      readonly limit: number;
    }
  | {
      readonly kind: "due";
    }
  | {
      readonly kind: "in-flight";
      readonly leaseUntil: EpochMs;
    }
  | {
      readonly kind: "lease-ended";
      readonly leaseUntil: EpochMs;
    };

export interface DeliveryRecord extends DeliverySummary {
  readonly body?: Uint8Array;
  readonly attempts: readonly AttemptRecord[];
  readonly endpoints: readonly EndpointState[];
  readonly lapses?: Lapses;
}

export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface DeliveryStore {
  commit(changes: Changes, now: EpochMs): Promise<CommitResult>;
  claim(request: ClaimRequest, now: EpochMs): Promise<ClaimResult>;
  lanes(page: LanePageRequest, now: EpochMs): Promise<LanePage>;
  end(request: EndRequest, now: EpochMs): Promise<number>;
  pullIn(request: PullInRequest, now: EpochMs): Promise<number>;
  find(id: DeliveryId): Promise<DeliveryRecord | undefined>;
  list(query: ListQuery): Promise<DeliveryPage>;
  seen(query: SeenQuery, now: EpochMs): Promise<readonly SeenMessage[]>;
  counts(): Promise<readonly SourceCounts[]>;
  sweep(request: SweepRequest, now: EpochMs): Promise<number>;
  readonly deletions?: DeletionStore;
  readonly records?: RecordStore;
  readonly laneChanges?: LaneChanges;
  readonly outbox?: Outbox;
  readonly board?: LaneBoard;
  readonly hints?: Hints;
  readonly clock?: SharedClock;
  onEnd?(listener: (why: string) => void): void;
  close(): Promise<void>;
}

export interface DeliverySummary {
  readonly id: DeliveryId;
  readonly state: DeliveryState;
  readonly reason?: DeadReason;
  readonly detail?: Detail;
  readonly source: SourceId;
  readonly destination: DestinationId;
  readonly type: MessageType;
  readonly messageId: string;
  readonly acceptedAt: EpochMs;
  readonly dueAt?: EpochMs;
  readonly attemptCount: number;
  readonly replayOf?: DeliveryId;
}

export interface Destination {
  readonly id: DestinationId;
  readonly name: string;
  readonly enabled: boolean;
  readonly paused: boolean;
  readonly acceptsHistorical: boolean;
  readonly sources: readonly Connection[];
  readonly endpoints: readonly Endpoint[];
  readonly secrets: readonly Secret[];
  readonly standardWebhooks?: boolean;
  readonly rateLimit?: RateLimit;
}

export type DestinationId = Brand<string, "DestinationId">;

export type Detail = string;

export interface Draws {
  readonly delay: number;
  readonly slot: number;
}

export interface EndRequest {
  readonly lane: DestinationId;
  readonly reason: "expired" | "refused" | "destination-removed";
  readonly detail?: Detail;
  readonly firstAttemptBefore?: EpochMs;
  readonly acceptedBefore?: EpochMs;
  readonly limit: number;
}

export interface Endpoint {
  readonly url: string;
  readonly headers: readonly StaticHeader[];
}

export interface EndpointHold {
  readonly endpoint: EndpointId;
  readonly until: EpochMs;
}

export type EndpointId = Brand<string, "EndpointId">;

export interface EndpointState {
  readonly endpoint: EndpointId;
  readonly refused: boolean;
  readonly refusedAt?: EpochMs;
  readonly excerpt?: Uint8Array;
}

export type EpochMs = Brand<number, "EpochMs">;

export interface ExplainInput {
  readonly record: DeliveryRecord;
  readonly settings: Pick<Workspace, "destinations" | "delivery" | "retention">;
  readonly lane?: LaneStatus;
}

export interface Explanation {
  readonly reasons: readonly DeliveryReason[];
  readonly sentences: readonly string[];
  readonly lapses?: string;
  readonly nextAttemptAt?: EpochMs;
  readonly windowEndsAt?: EpochMs;
}

export declare const FAULTS: readonly [
  "timeout",
  "dns",
  "connection-refused",
  "connection-reset",
  "connection-closed",
  "bad-response",
  "network",
  "tls",
  "certificate-expired",
  "certificate-host",
  "certificate-issuer",
  "self-signed",
  "forbidden-address",
  "invalid-header",
  "local",
];

export type Fault = (typeof FAULTS)[number];

export type FilterReason = "integrations" | "destination-off" | "historical" | "no-destination";

export interface FilteredUnit {
  readonly destination: DestinationId | null;
  readonly reason: FilterReason;
}

export type Header = readonly [name: string, value: string];

export interface Hints {
  tell(lanes: readonly DestinationId[]): Promise<void>;
  listen(onHint: (lanes: readonly DestinationId[]) => void): () => void;
}

export interface HttpPort {
  send(request: HttpRequest): Promise<Reply>;
}

export interface HttpRequest {
  readonly url: EndpointId;
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
  readonly timeoutMs: number;
}

export type InitialState =
  | {
      readonly kind: "claimed";
    }
  | {
      readonly kind: "waiting";
      readonly dueAt: EpochMs;
    }
  | {
      readonly kind: "dead";
      readonly reason: "lane-full";
    };

export type JsonObject = Readonly<Record<string, unknown>>;

export type Judgement = Verdict | "local";

export interface KeptCall {
  readonly messageId: string;
  readonly type: CallKind;
  readonly json: string;
}

export interface KeptCallPage {
  readonly calls: readonly KeptCall[];
  readonly next: string | undefined;
  readonly stored: number;
}

export interface KeptCallPageRequest {
  readonly from?: string | undefined;
  readonly limit: number;
}

export declare const LANE_MODES: readonly ["open", "held", "refusing", "blocked", "paused", "off", "gone"];

export interface LaneBackoff {
  readonly kind: "held" | "refusing" | "blocked";
  readonly since?: EpochMs;
  readonly detail?: Detail;
  readonly probes: number;
  readonly nextProbeAt: EpochMs;
}

export interface LaneBoard {
  beat(request: BeatRequest, now: EpochMs): Promise<BoardNews>;
  write(rows: readonly BoardRow[]): Promise<readonly BoardRow[]>;
  leave(process: ProcessId): Promise<void>;
}

export interface LaneChanges {
  read(query: { readonly after?: LaneMark; readonly limit: number }): Promise<ChangedLanes | undefined>;
}

export interface LaneClaim {
  readonly lane: DestinationId;
  readonly limit: number;
  readonly retries?: number;
}

export interface LaneClosure {
  readonly mode: Exclude<LaneMode, "open">;
  readonly pausedBy: readonly PausedBy[];
}

export interface LaneFailure {
  readonly detail: Detail;
  readonly at: EpochMs;
  readonly isRefusal: boolean;
}

export type LaneMark = Brand<string, "LaneMark">;

export type LaneMode = (typeof LANE_MODES)[number];

export interface LanePage {
  readonly lanes: readonly LaneRow[];
  readonly more: boolean;
}

export interface LanePageRequest {
  readonly after?: DestinationId;
  readonly limit: number;
}

export interface LanePause {
  readonly lane: DestinationId;
  readonly pausedAt: EpochMs;
}

export interface LaneRate {
  readonly perSecond: number;
  readonly burst: number;
  readonly left: number;
  readonly nextAt: EpochMs;
}

export interface LaneRow {
  readonly lane: DestinationId;
  readonly deliveries: number;
  readonly bytes: number;
  readonly nextDueAt: EpochMs;
  readonly firstAttemptAt?: EpochMs;
}

export interface LaneStatus {
  readonly lane: DestinationId;
  readonly mode: LaneMode;
  readonly pausedBy: readonly PausedBy[];
  readonly backoff?: LaneBackoff;
  readonly lastFailure?: LaneFailure;
  readonly deaths: number;
  readonly deliveries: number;
  readonly bytes: number;
  readonly nextDueAt?: EpochMs;
  readonly windowEndsAt?: EpochMs;
  readonly inFlight: number;
  readonly limit: number;
  readonly rate?: LaneRate;
  readonly endpointHolds: readonly EndpointHold[];
}

export interface Lapses {
  readonly count: number;
  readonly process: ProcessId;
  readonly leaseUntil: EpochMs;
  readonly takenAt: EpochMs;
  readonly takenBy?: ProcessId;
}

export interface Lease {
  readonly token: LeaseToken;
  readonly leaseMs: number;
}

export interface LeaseHolder {
  readonly owner: string;
  readonly aliveAt: EpochMs;
}

export type LeaseToken = Brand<string, "LeaseToken">;

export interface ListQuery {
  readonly states?: readonly DeliveryState[];
  readonly reason?: DeadReason;
  readonly details?: readonly Detail[];
  readonly source?: SourceId;
  readonly destination?: DestinationId;
  readonly type?: MessageType;
  readonly messageId?: string;
  readonly userId?: string;
  readonly acceptedSince?: EpochMs;
  readonly acceptedBefore?: EpochMs;
  readonly notReplayed?: boolean;
  readonly after?: string;
  readonly limit: number;
}

export declare const MAX_ACTOR_LENGTH = 200;

export declare const MAX_AUDIENCE_NAME_LENGTH = 200;

export declare const MAX_BATCH_BYTES = 512000;

export declare const MAX_BATCH_CALLS = 2500;

export declare const MAX_BOARD_HOLDS: number;

export declare const MAX_CALL_BYTES = 32768;

export declare const MAX_CLAIMED_DELIVERIES = 256;

export declare const MAX_CLAIMED_LANES = 256;

export declare const MAX_DELETION_USERS = 5000;

export declare const MAX_DEPTH = 64;

export declare const MAX_ENDPOINTS_PER_DESTINATION = 5;

export declare const MAX_EXCERPT_BYTES = 4096;

export declare const MAX_IMPRECISE_TOLD = 3;

export declare const MAX_MESSAGE_ID_LENGTH = 100;

export declare const MAX_MESSAGE_USERS = 2;

export declare const MAX_RECORD_BYTES: number;

export declare const MAX_REPLY_BYTES = 65536;

export declare const MAX_SETTINGS_BYTES: number;

export declare const MAX_SETTINGS_HISTORY = 50;

export declare const MAX_URL_LENGTH = 2048;

export declare const MAX_USER_ID_LENGTH: number;

export interface Member {
  readonly userId: string;
  readonly value?: string;
}

export interface MemberChange {
  readonly kind: "entered" | "departed" | "changed";
  readonly userId: string;
  readonly value?: string;
}

export type Message =
  IdentifyMessage | TrackMessage | PageMessage | ScreenMessage | GroupMessage | AliasMessage | DeleteMessage;

export type MessageType = CallKind | "delete";

export type MonoMs = Brand<number, "MonoMs">;

export declare const NOTIFICATION_KINDS: readonly [
  "lane-failing",
  "lane-held",
  "lane-open",
  "window-at-risk",
  "deaths",
  "shedding",
  "store",
  "deletion-late",
  "outbox",
];

export declare const NO_COUNTS: Counts;

export interface NewDeletion {
  readonly id: DeletionId;
  readonly regulation: Regulation;
  readonly userIds: readonly string[];
  readonly sources: readonly SourceId[] | null;
}

export interface NewDelivery {
  readonly destination: DestinationId;
  readonly start: InitialState;
}

export interface NewMessage {
  readonly source: SourceId;
  readonly messageId: string;
  readonly type: MessageType;
  readonly receivedAt: EpochMs;
  readonly userIds?: readonly string[];
  readonly asOf?: number;
  readonly traceparent?: string;
  readonly deletion?: DeletionId;
  readonly body: Body;
  readonly deliveries: readonly NewDelivery[];
  readonly filtered: readonly FilteredUnit[];
}

export interface NoticeCounts {
  readonly source: SourceId;
  readonly stored: number;
  readonly delivered: number;
  readonly dead: number;
}

export interface NoticeProgress {
  readonly deletion: DeletionId;
  readonly users: number;
}

export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

export interface NotifyHook extends Endpoint {
  readonly secrets: readonly Secret[];
  readonly standardWebhooks?: boolean;
  readonly on?: readonly NotificationKind[];
}

export interface OptionProblem {
  readonly path: string;
  readonly expected: string;
}

export interface OptionsError extends TypeError {
  readonly code: "bad-options";
  readonly docs: string;
  readonly problems: readonly OptionProblem[];
}

export interface Outbox {
  add(call: OutboxCall, run: RunStatement): Promise<void>;
  read(query: OutboxQuery): Promise<readonly OutboxEntry[]>;
  count(query: { readonly source: SourceId; readonly limit: number }): Promise<number>;
  remove(ids: readonly string[]): Promise<void>;
}

export interface OutboxCall {
  readonly source: SourceId;
  readonly call: string;
}

export interface OutboxEntry extends OutboxCall {
  readonly id: string;
}

export interface OutboxQuery {
  readonly after?: string;
  readonly limit: number;
  readonly except?: readonly SourceId[];
}

export type Outcome =
  | {
      readonly kind: "delivered";
      readonly detail: Detail;
    }
  | {
      readonly kind: "dead";
      readonly reason: "expired" | "refused" | "purged";
      readonly detail?: Detail;
    }
  | {
      readonly kind: "rescheduled";
      readonly dueAt: EpochMs;
      readonly detail: Detail;
    }
  | {
      readonly kind: "released";
      readonly dueAt: EpochMs;
    };

export interface PageCursor {
  readonly page: readonly Member[];
  readonly from: number;
}

export type PausedBy = "settings" | "operator";

export interface Problem {
  readonly code: ProblemCode;
  readonly path: string;
  readonly expected: string;
}

export type ProblemCode =
  | "missing"
  | "unknown-key"
  | "wrong-type"
  | "empty-id"
  | "duplicate-id"
  | "duplicate-write-key"
  | "empty-write-key"
  | "bad-write-key"
  | "unknown-source"
  | "duplicate-source"
  | "device-mode-not-offered"
  | "reserved-name"
  | "no-endpoints"
  | "too-many-endpoints"
  | "duplicate-endpoint"
  | "bad-url"
  | "url-too-long"
  | "url-credentials"
  | "url-fragment"
  | "too-many-headers"
  | "duplicate-header"
  | "bad-header-name"
  | "bad-header-value"
  | "reserved-header"
  | "empty-secret"
  | "plain-secret"
  | "bad-reference"
  | "not-positive"
  | "below-minimum"
  | "too-few"
  | "too-many"
  | "too-deep"
  | "bad-user-id"
  | "not-allowed";

export type ProcessId = Brand<string, "ProcessId">;

export interface PullInRequest {
  readonly lane: DestinationId;
  readonly dueAfter: EpochMs;
  readonly dueAt: EpochMs;
  readonly limit: number;
}

export declare const RECORD_KINDS: readonly [
  "pause",
  "replay-job",
  "audience",
  "settings",
  "settings-change",
  "settings-document",
];

export declare const REFUSAL_CODES: readonly [
  "unknown-type",
  "not-an-object",
  "not-a-string",
  "id-not-string",
  "no-ids",
  "no-event",
  "no-group-id",
  "no-user-id",
  "no-previous-id",
  "bad-message-id",
  "number-not-finite",
  "too-deep",
  "too-large",
];

export declare const REGULATIONS: readonly ["delete-only", "suppress-with-delete", "suppress-only", "unsuppress"];

export interface Random {
  unit(): number;
  bytes(count: number): Uint8Array;
}

export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

export type Receipt =
  | {
      readonly kind: "accepted";
      readonly messageId: string;
      readonly deliveries: readonly DeliveryId[];
      readonly filtered: readonly {
        readonly destination: DestinationId | null;
        readonly reason: FilterReason;
      }[];
      readonly warnings?: readonly CallWarning[];
    }
  | {
      readonly kind: "duplicate";
      readonly messageId: string;
    }
  | {
      readonly kind: "refused";
      readonly refusal: Refusal;
    }
  | {
      readonly kind: "suppressed";
      readonly messageId: string;
    }
  | {
      readonly kind: "shed";
      readonly retryAt: EpochMs;
    };

export type RecordKind = (typeof RECORD_KINDS)[number];

export interface RecordQuery {
  readonly kind: RecordKind;
  readonly tag?: string;
  readonly after?: string;
  readonly limit: number;
}

export interface RecordStore {
  put(record: StoredRecord): Promise<boolean>;
  find(kind: RecordKind, key: string, above?: number): Promise<StoredRecord | undefined>;
  list(query: RecordQuery): Promise<readonly StoredRecord[]>;
  remove(kind: RecordKind, key: string): Promise<void>;
}

export interface RecordablePorts {
  readonly store: DeliveryStore;
  readonly audiences?: AudienceStore;
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly random: Random;
}

export interface RecordedSegment {
  readonly ports: RecordablePorts;
  readonly state: object | undefined;
  ask<T>(method: string, args: readonly unknown[], run: () => PromiseLike<T>): Promise<T>;
  tell<T>(method: string, args: readonly unknown[], run: () => T): T;
  look<T>(run: () => T): T;
  observe(event: object): void;
}

export interface Refusal {
  readonly code: RefusalCode;
  readonly path: string;
  readonly expected: string;
}

export type RefusalCode = (typeof REFUSAL_CODES)[number];

export type Regulation = (typeof REGULATIONS)[number];

export interface RelayRecorder {
  begin(start: SegmentStart, owner: SegmentOwner): RecordedSegment;
}

export interface Replay {
  readonly of: DeliveryId;
  readonly start: InitialState;
  readonly once?: boolean;
}

export interface ReplayFilter {
  readonly states: readonly ReplayedState[];
  readonly reason?: DeadReason;
  readonly details?: readonly Detail[];
  readonly source?: SourceId;
  readonly destination?: DestinationId;
  readonly type?: MessageType;
  readonly acceptedSince?: EpochMs;
  readonly acceptedBefore?: EpochMs;
}

export interface ReplayJob {
  readonly id: ReplayJobId;
  readonly revision: number;
  readonly filter: ReplayFilter;
  readonly createdAt: EpochMs;
  readonly state: ReplayJobState;
  readonly endedAt?: EpochMs;
  readonly expected: number;
  readonly replayed: number;
  readonly skipped: number;
  readonly after?: string;
  readonly step?: ReplayJobStep;
  readonly holder?: LeaseHolder;
}

export type ReplayJobId = Brand<string, "ReplayJobId">;

export interface ReplayJobStep {
  readonly deliveries: readonly DeliveryId[];
  readonly skipped: number;
  readonly next?: string;
}

export type ReplayedState = "delivered" | "dead";

export type Reply =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly afterMs: number;
      readonly retryAfter?: string;
      readonly excerpt: Uint8Array;
    }
  | {
      readonly kind: "silent";
      readonly fault: Fault;
      readonly afterMs: number;
    };

export interface Retention {
  readonly deliveredHours: number;
  readonly deadHours: number;
}

export interface RetryHistory {
  readonly rounds: number;
  readonly firstAttemptAt: EpochMs;
  readonly roundStartedAt: EpochMs;
  readonly heldUntil?: EpochMs;
  readonly attempts?: readonly FailedAttempt[];
}

export interface RetryPolicy {
  readonly retryWindowMs: number;
  readonly firstRetryMs: number;
  readonly maxRetryMs: number;
  readonly growth: number;
  readonly jitter: number;
  readonly maxRetryAfterMs: number;
  readonly schedule?: RetrySchedule;
}

export interface RetrySchedule {
  readonly name: string;
  readonly next: (failure: ScheduleInput) => number | "give-up";
}

export type RunStatement = (sql: string, values: readonly string[]) => Promise<unknown>;

export type RunningSync = LeaseHolder &
  (
    | {
        readonly kind: "collecting";
        readonly since: number;
      }
    | ({
        readonly kind: "sending";
        readonly set: string;
        readonly members: number;
        readonly left: readonly DestinationId[];
      } & SyncCounts)
  );

export type ScheduleFault = "threw" | "no-number";

export interface ScheduleInput extends Required<Omit<RetryHistory, "heldUntil">>, Pick<RetryHistory, "heldUntil"> {
  readonly windowEndsAt: EpochMs;
  readonly now: EpochMs;
  readonly draw: number;
}

export interface Secret {
  reveal(): string;
}

export interface SeenMessage {
  readonly source: SourceId;
  readonly seenAt: EpochMs;
  readonly deliveries: number;
}

export interface SeenQuery {
  readonly messageId: string;
  readonly source?: SourceId;
}

export interface SegmentOwner {
  renew(): void;
  retire(): Promise<void>;
}

export interface SegmentStart {
  readonly settings: object;
  readonly state?: object;
}

export interface SettingsChange {
  readonly revision: number;
  readonly actor?: string;
  readonly changedAt: EpochMs;
}

export interface SettingsEdit {
  readonly expect: number;
  readonly document: string;
  readonly actor?: string;
}

export interface SettingsPutResult {
  readonly kind: "stored" | "stale";
  readonly revision: number;
}

export interface SettingsRevision extends SettingsChange {
  readonly document: string;
}

export type SettleResult = "settled" | "purged" | "stale";

export interface Settlement {
  readonly id: DeliveryId;
  readonly token: LeaseToken;
  readonly outcome: Outcome;
  readonly attempts: readonly AttemptRecord[];
  readonly endpoints: readonly EndpointState[];
}

export interface SharedClock {
  wall(): Promise<EpochMs>;
}

export interface SnapshotRange {
  readonly set: string;
  readonly upTo: string | null;
}

export interface Source {
  readonly id: SourceId;
  readonly name: string;
  readonly writeKey: Secret;
  readonly rateLimit?: RateLimit;
  readonly addsIp?: boolean;
}

export interface SourceCounts extends Counts {
  readonly source: SourceId;
}

export type SourceId = Brand<string, "SourceId">;

export interface StandardWebhookHeaders {
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
}

export type StaticHeader = readonly [name: string, value: string | Secret];

export interface StoreError extends Error {
  readonly code: StoreErrorCode;
}

export type StoreErrorCode = "busy" | "full" | "corrupt" | "unavailable";

export interface StoredRecord {
  readonly kind: RecordKind;
  readonly key: string;
  readonly revision: number;
  readonly tag?: string;
  readonly text: string;
}

export interface SweepRequest {
  readonly deliveredBefore: EpochMs;
  readonly deadBefore: EpochMs;
  readonly limit: number;
}

export interface SyncCounts {
  readonly entered: number;
  readonly departed: number;
  readonly changed: number;
}

export interface SyncReport extends SyncCounts {
  readonly sync: number;
  readonly members: number;
  readonly endedAt: EpochMs;
}

export declare const USER_AGENT = "Postrider/1.0";

export type Verdict = "success" | "retry" | "refused";

export declare const WARNING_CODES: readonly ["imprecise-number", "unread-date", "date-ahead"];

export interface Workspace {
  readonly sources: readonly Source[];
  readonly destinations: readonly Destination[];
  readonly delivery: DeliveryPolicy;
  readonly retention: Retention;
  readonly notify?: readonly NotifyHook[];
}

export declare function checkWorkspace(workspace: Workspace): readonly Problem[];

export declare function createExcerptCollector(): ExcerptCollector;

export declare function createSecret(text: string): Secret;

export declare function createStoreError(code: StoreErrorCode, message: string, cause?: unknown): StoreError;

export declare function deletionId(text: string): DeletionId;

export declare function deliveryId(text: string): DeliveryId;

export declare function destinationId(text: string): DestinationId;

export declare function effectsOf(regulation: Regulation): RegulationEffects;

export declare function endpointId(url: string): EndpointId;

export declare function epochMs(ms: number): EpochMs;

export declare function explain({ record, settings, lane }: ExplainInput, now: EpochMs): Explanation;

export declare function holderOf(token: LeaseToken): ProcessId;

export declare function isAddressRange(text: string): boolean;

export declare function isAudienceSource(source: SourceId): boolean;

export declare function judgeReply(reply: Reply): Judgement;

export declare function laneMark(text: string): LaneMark;

export declare function leaseToken(text: string): LeaseToken;

export declare function longestDelay(policy: RetryPolicy): number;

export declare function monoMs(ms: number): MonoMs;

export declare function nextState(state: DeliveryState, event: DeliveryEvent): DeliveryState | undefined;

export declare function nextStep(record: DeletionProgress): DeletionStep;

export declare function plusMs<Instant extends EpochMs | MonoMs>(at: Instant, ms: number): Instant;

export declare function processId(text: string): ProcessId;

export declare function readEndpointUrl(text: string): EndpointUrlResult;

export declare function replayJobId(text: string): ReplayJobId;

export declare function retryDelay(policy: RetryPolicy, rounds: number, draw: number): number;

export declare function scheduleRetry(
  policy: RetryPolicy,
  history: RetryHistory,
  draws: Draws,
  now: EpochMs,
): NextRound;

export declare function signBody(secret: string, body: Uint8Array): string;

export declare function sourceId(text: string): SourceId;

export declare function verifySignature(
  secret: string,
  body: Uint8Array | string,
  signature: string | readonly string[] | undefined,
): boolean;

export declare function verifyStandardWebhook(
  secrets: readonly string[],
  body: Uint8Array | string,
  { id, timestamp, signature }: StandardWebhookHeaders,
  now: number,
): StandardVerdict;

export declare function windowEnd(policy: RetryPolicy, firstAttemptAt: EpochMs): EpochMs;

// Not exported by name, but part of what is.

interface AliasCall extends CallBase {
  readonly type: "alias";
  readonly previousId?: string;
}

interface AliasMessage extends MessageHead<"alias">, MessageTail {
  readonly "Previous ID": string;
  readonly "User ID": string;
}

interface BoardBackoff {
  readonly probes: number;
  readonly probeAt: EpochMs;
  readonly prober?: ProcessId;
}

type Brand<T, Name extends string> = T & {
  readonly [brand]: Name;
};

interface ByUser {
  readonly userId?: string;
}

interface CallBase {
  readonly messageId?: string;
  readonly userId?: string;
  readonly anonymousId?: string;
  readonly timestamp?: EpochMs;
  readonly originalTimestamp?: EpochMs;
  readonly sentAt?: EpochMs;
  readonly context?: JsonObject;
  readonly integrations?: JsonObject;
}

interface DeleteMessage {
  readonly type: "delete";
  readonly userId: string;
  readonly timestamp: Instant;
}

type DeletionProgress = Pick<DeletionRecord, "finishedAt" | "regulation" | "isPurged" | "notified" | "users">;

type EndpointUrlResult =
  | {
      readonly kind: "ok";
      readonly id: EndpointId;
    }
  | {
      readonly kind: "refused";
      readonly code: ProblemCode;
      readonly expected: string;
    };

interface ExcerptCollector {
  add(chunk: Uint8Array): void;
  isFull(): boolean;
  isOver(): boolean;
  excerpt(): Uint8Array;
}

type FailedAttempt = Pick<AttemptRecord, "endpoint" | "result" | "verdict">;

interface GroupCall extends CallBase {
  readonly type: "group";
  readonly groupId?: string;
  readonly traits?: JsonObject;
}

interface GroupMessage extends MessageHead<"group">, ByUser, MessageTail {
  readonly groupId: string;
  readonly traits: JsonObject;
}

interface IdentifyCall extends CallBase {
  readonly type: "identify";
  readonly traits?: JsonObject;
}

interface IdentifyMessage extends MessageHead<"identify">, ByUser, MessageTail {
  readonly traits: JsonObject;
}

type Instant = string;

declare const MESSAGE_VERSION = 1;

interface MessageHead<Type extends string> {
  readonly version: typeof MESSAGE_VERSION;
  readonly type: Type;
  readonly messageId: string;
  readonly anonymousId?: string;
}

interface MessageTail {
  readonly context: JsonObject;
  readonly timestamp: Instant;
  readonly originalTimestamp?: Instant;
  readonly sentAt?: Instant;
  readonly receivedAt: Instant;
}

type NextRound = (
  | {
      readonly kind: "due";
      readonly dueAt: EpochMs;
    }
  | {
      readonly kind: "expired";
    }
) & {
  readonly fault?: ScheduleFault;
};

interface PageCall extends CallBase {
  readonly type: "page";
  readonly name?: string;
  readonly category?: string;
  readonly properties?: JsonObject;
}

interface PageMessage extends MessageHead<"page">, ByUser, MessageTail {
  readonly name?: string;
  readonly category?: string;
  readonly properties: JsonObject;
}

interface RegulationEffects {
  readonly suppression: "begins" | "ends" | null;
  readonly purges: boolean;
  readonly notifies: boolean;
}

type ReplayJobState = "running" | "done" | "cancelled";

interface ScreenCall extends CallBase {
  readonly type: "screen";
  readonly name?: string;
  readonly category?: string;
  readonly properties?: JsonObject;
}

interface ScreenMessage extends MessageHead<"screen">, ByUser, MessageTail {
  readonly name?: string;
  readonly category?: string;
  readonly properties: JsonObject;
}

interface SentSnapshot {
  readonly destination: DestinationId;
  readonly sync: number;
  readonly parts: readonly SnapshotRange[];
}

type StandardVerdict =
  | {
      readonly kind: "valid";
    }
  | {
      readonly kind: "invalid";
      readonly reason: "missing-header" | "bad-timestamp" | "too-old" | "too-new" | "no-match";
    };

interface TrackCall extends CallBase {
  readonly type: "track";
  readonly event?: string;
  readonly properties?: JsonObject;
}

interface TrackMessage extends MessageHead<"track">, ByUser, MessageTail {
  readonly event: string;
  readonly properties: JsonObject;
}

declare const brand: unique symbol;

export {};
