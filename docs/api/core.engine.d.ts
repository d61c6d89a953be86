// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/core/engine` exports.

import type {
  AliasCall,
  AttemptRecord,
  AttemptResult,
  AudienceRecord,
  BoardProcess,
  BoardRow,
  BoardTokens,
  Body,
  Call,
  Cancel,
  Clock,
  Counts,
  DeleteMessage,
  DeletionId,
  DeletionRequest,
  DeliveryId,
  DeliveryPolicy,
  Destination,
  DestinationId,
  Detail,
  Draws,
  EndpointId,
  EndpointState,
  EpochMs,
  Fault,
  FilteredUnit,
  GroupCall,
  Header,
  HttpRequest,
  IdentifyCall,
  InitialState,
  JsonObject,
  LaneFailure,
  LaneMode,
  LanePause,
  Lapses,
  LeaseHolder,
  Member,
  MemberChange,
  Message,
  MonoMs,
  NotificationKind,
  Outcome,
  PageCall,
  PageCursor,
  Problem,
  ProcessId,
  RateLimit,
  Refusal,
  RefusalCode,
  ReplayJob,
  ReplayJobStep,
  Reply,
  Retention,
  RetryPolicy,
  RetrySchedule,
  ScheduleFault,
  ScreenCall,
  Secret,
  SettingsChange,
  SettingsRevision,
  SnapshotRange,
  SourceCounts,
  SourceId,
  StaticHeader,
  StoreErrorCode,
  StoredRecord,
  SyncCounts,
  TrackCall,
  Workspace,
} from "@postrider/core";

export interface Allowance {
  readonly calls: number;
  readonly at: MonoMs;
}

export interface AttemptedEndpoints {
  readonly endpoints: readonly EndpointId[];
  readonly confirming: readonly EndpointId[];
}

export type AudienceCall = (
  | IdentifyCall
  | (TrackCall & {
      readonly event: string;
    })
) & {
  readonly userId: string;
};

export type AudienceKeyResult =
  | {
      readonly kind: "ok";
      readonly key: string;
    }
  | {
      readonly kind: "refused";
      readonly reason: "empty";
    }
  | {
      readonly kind: "refused";
      readonly reason: "taken";
      readonly key: string;
    };

export declare const BOARD_BEAT_MS = 1000;

export declare const BOARD_LIVE_MS = 6000;

export declare const BOARD_SLICE_MS = 250;

export interface Backoff {
  readonly reason: BackoffReason;
  readonly probes: number;
  readonly probeAt: MonoMs;
  readonly freshAt: MonoMs;
}

export type BackoffReason = "failing" | "refusing" | "blocked";

export interface BoardMoment {
  readonly process: ProcessId;
  readonly wall: EpochMs;
  readonly monotonic: MonoMs;
}

export interface BoardShare {
  readonly joinedAt: MonoMs;
  readonly seenAt: MonoMs;
  readonly granted: number;
  readonly announced: number;
  readonly fair: number;
}

export declare const CURRENT_SETTINGS = "current";

export interface CallBase {
  readonly messageId?: string;
  readonly userId?: string;
  readonly anonymousId?: string;
  readonly timestamp?: EpochMs;
  readonly originalTimestamp?: EpochMs;
  readonly sentAt?: EpochMs;
  readonly context?: JsonObject;
  readonly integrations?: JsonObject;
}

export type CheckResult =
  | {
      readonly kind: "ok";
      readonly call: CheckedCall;
    }
  | RefusedCall;

export type CheckedCall =
  | IdentifyCall
  | (TrackCall & {
      readonly event: string;
    })
  | PageCall
  | ScreenCall
  | (GroupCall & {
      readonly groupId: string;
    })
  | (AliasCall & {
      readonly userId: string;
      readonly previousId: string;
    });

export interface ClaimGrant {
  readonly lane: DestinationId;
  readonly limit: number;
}

export interface ClockOffset {
  readonly offsetMs: number;
  readonly errorMs: number;
}

export interface CollectedSet extends SyncCounts {
  readonly set: string;
  readonly members: number;
  readonly erased: number;
  readonly left: readonly DestinationId[];
}

export declare const DEFAULT_DESTINATION_NAME = "Webhooks";

export declare const DOCS_URL = "https://github.com/postrider/postrider/blob/main/docs";

export interface Deadline {
  readonly at: MonoMs;
  readonly expire: () => void;
  readonly line: DeadlineLine;
}

export interface Deadlines {
  begin(afterMs: number, expire: () => void): Deadline;
  end(deadline: Deadline): void;
}

export type Defined<T> = {
  [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key];
} & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

export declare const END_MARGIN_DIVISOR = 2000;

export declare const EXPECTED_SCHEDULE =
  "a schedule: an object with a name and a function next, which only code can give, to createPostrider or createRelay";

export interface EndedAttempt {
  readonly endpoint: EndpointId;
  readonly startedAt: EpochMs;
  readonly reply: Reply;
}

export interface EndedRound {
  readonly delivery: DeliveryId;
  readonly isFirst: boolean;
  readonly signal: RoundSignal;
  readonly inFlight: number;
  readonly share?: number | undefined;
}

export interface Exchange {
  onHead(head: ReplyHead, now: MonoMs): ExchangeStep;
  onBody(chunk: Uint8Array): ExchangeStep;
  onEnd(now: MonoMs): ExchangeStep;
  onFault(fault: Fault, now: MonoMs): ExchangeStep;
  isOver(): boolean;
}

export interface ExchangeStep {
  readonly reply?: Reply;
  readonly connection?: "keep" | "renew" | "drop";
}

export declare const FIRST_LANE_IN_FLIGHT = 32;

export declare const FORBIDDEN_ADDRESS: Detail;

export declare const HOUR_MS = 3600000;

export interface HeardReply {
  readonly messageId: string;
  readonly isFirst: boolean;
  readonly reply: Reply;
}

export type HoldEnds = ReadonlyMap<EndpointId, EpochMs>;

export declare const LAST_SLOT_DIVISOR = 250;

export declare const LEASE_SLACK_MS = 2000;

export interface LaneBounds {
  readonly maxDeliveries: number;
  readonly maxBytes: number;
}

export interface LaneHealth {
  readonly failing: number;
  readonly inARow: number;
  readonly freshAt: MonoMs | undefined;
  readonly retried: DeliveryId | undefined;
}

export interface LaneMoment {
  readonly wall: EpochMs;
  readonly monotonic: MonoMs;
  readonly free: number;
}

export interface LaneOnArrival {
  readonly lane: LaneState;
  readonly bounds: LaneBounds;
  readonly free: number;
  readonly isContended: boolean;
  readonly at: MonoMs;
}

export interface LaneOnBoard {
  readonly share: number;
  readonly probeUntil: MonoMs | undefined;
  readonly isHastened: boolean;
  readonly leased: LeasedTokens;
}

export type LaneReadiness =
  | {
      readonly kind: "idle";
    }
  | {
      readonly kind: "due";
      readonly at: EpochMs;
    }
  | {
      readonly kind: "paused";
      readonly until: MonoMs;
    }
  | {
      readonly kind: "crowded";
      readonly free: number;
    }
  | {
      readonly kind: "asking";
    }
  | {
      readonly kind: "ready";
    };

export interface LaneState {
  readonly lane: DestinationId;
  readonly isOpen: boolean;
  readonly deliveries: number;
  readonly bytes: number;
  readonly inFlight: number;
  readonly running: number;
  readonly isClaiming: boolean;
  readonly nextDueAt: EpochMs | undefined;
  readonly pace: Pace;
  readonly rateLimit: RateLimit | undefined;
  readonly tokens: RateTokens | undefined;
  readonly onBoard?: LaneOnBoard | undefined;
}

export type LaneTrouble = "lane-failing" | "lane-held" | "window-at-risk";

export interface LaneView {
  readonly pace: Pace;
  readonly holds: ReadonlyMap<EndpointId, EpochMs>;
  readonly row: BoardRow | undefined;
  readonly isOwnBackoff: boolean;
}

export interface Lateness {
  readonly firstAttemptAt?: EpochMs | undefined;
  readonly dueAt: EpochMs;
  readonly claimingSince: EpochMs;
}

export interface LeasedTokens {
  readonly left: number;
  readonly until: MonoMs;
  readonly askAt: MonoMs;
}

export declare const MAX_DEDUPE_IDS = 50000000;

export declare const MAX_DELIVERIES_PER_TURN = 32;

export declare const MAX_IN_FLIGHT = 2048;

export declare const MAX_KEPT_CALLS = 100000;

export declare const MAX_LANE_BYTES = 4294967296;

export declare const MAX_LANE_DELIVERIES = 1000000;

export declare const MAX_LANE_IN_FLIGHT = 512;

export declare const MAX_NOTIFIED_PLACES = 10;

export declare const MAX_NOTIFY_HOOKS = 5;

export declare const MAX_STATIC_HEADERS = 5;

export declare const MAX_TEXT_DEPTH = 256;

export declare const MIN_END_MARGIN_MS = 50;

export declare const MIN_LANE_IN_FLIGHT = 4;

export declare const MIN_OPEN_ATTEMPTS_BOUND = 64;

export interface MovedRangeEnd extends RangeEnd {
  readonly to: string | null;
}

export declare const NOTIFY_LATE_DELETION_MS = 3600000;

export declare const NO_STANDING: Standing;

export type NewReplayJob = Pick<ReplayJob, "id" | "createdAt" | "expected" | "filter">;

export interface NoticeTarget {
  readonly source: SourceId;
  readonly destinations: readonly DestinationId[];
}

export interface Notification {
  readonly id: string;
  readonly kind: NotificationKind;
  readonly at: EpochMs;
  readonly places: readonly NotifiedPlace[];
  readonly more: number;
}

export interface NotifiedPlace {
  readonly destination?: DestinationId;
  readonly count: number;
  readonly since: EpochMs;
  readonly details: readonly string[];
  readonly lane?: NotifiedLane;
}

export interface Occurrence {
  readonly count: number;
  readonly at: EpochMs;
  readonly detail?: string | undefined;
}

export declare const PROBE_FIRST_MS = 5000;

export declare const PROBE_MAX_MS = 60000;

export declare const PROCESS_ID_LENGTH = 16;

export interface Pace {
  readonly limit: number;
  readonly isRamping: boolean;
  readonly successes: number;
  readonly health: LaneHealth;
  readonly backoff: Backoff | undefined;
  readonly spread: number;
}

export interface PageDiff {
  readonly changes: readonly MemberChange[];
  readonly previous: number;
  readonly current: number;
}

export interface PageMerge {
  readonly members: readonly Member[];
  readonly from: readonly number[];
}

export interface PendingRows {
  readonly rows: number;
  readonly since: MonoMs;
  readonly isAwaited: boolean;
}

export interface Place {
  readonly parent: Place | undefined;
  readonly step: string | number;
}

export declare const RESERVED_AUDIENCE_KEYS: ReadonlySet<string>;

export declare const RESERVED_HEADERS: ReadonlySet<string>;

export declare const RESERVED_HEADER_PREFIXES: readonly string[];

export declare const RETRY_EVERY = 5;

export declare const ROOT_PLACE: Place;

export interface RangeEnd {
  readonly destination: DestinationId;
  readonly upTo: string;
  readonly after?: string;
  readonly sets: readonly string[];
}

export type RateDecision =
  | {
      readonly kind: "ok";
      readonly left: Allowance;
    }
  | {
      readonly kind: "refused";
      readonly waitMs: number;
    };

export interface RateTokens {
  readonly left: number;
  readonly at: MonoMs;
}

export type ReadMemberResult =
  | {
      readonly kind: "ok";
      readonly member: Member;
    }
  | {
      readonly kind: "refused";
      readonly expected: string;
    };

export type ReadWriteKeyResult =
  | {
      readonly kind: "plain";
      readonly key: string;
    }
  | {
      readonly kind: "digest";
      readonly hex: string;
    }
  | {
      readonly kind: "refused";
      readonly expected: string;
    };

export interface ReadyLane {
  readonly lane: DestinationId;
  readonly slots: number;
  readonly inFlight: number;
}

export { RefusedCall } from "@postrider/core/batch";

export interface RegulationEffects {
  readonly suppression: "begins" | "ends" | null;
  readonly purges: boolean;
  readonly notifies: boolean;
}

export interface ReplyHead {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

export interface RequestTarget {
  readonly endpoint: EndpointId;
  readonly headers: readonly StaticHeader[];
  readonly secrets: readonly Secret[];
  readonly standardWebhook?: StandardWebhook;
  readonly timeoutMs: number;
}

export interface RoundContext {
  readonly policy: DeliveryPolicy;
  readonly endpoints: readonly EndpointId[];
  readonly holds: HoldEnds;
  readonly standings: Standings;
  readonly saturated: ReadonlySet<EndpointId>;
  readonly leaseUntil: EpochMs;
  readonly dueAt: EpochMs;
  readonly claimingSince: EpochMs;
  readonly draw: number;
}

export interface RoundDelivery {
  readonly rounds: number;
  readonly firstAttemptAt?: EpochMs;
  readonly endpoints: readonly EndpointState[];
}

export interface RoundEnd {
  readonly delivery: RoundDelivery;
  readonly acceptedAt: EpochMs;
  readonly inForce: readonly EndpointId[];
  readonly ended: readonly EndedAttempt[];
  readonly policy: RetryPolicy;
  readonly confirming: readonly EndpointId[];
  readonly standings: Standings;
  readonly holds: HoldEnds;
  readonly localStreak: number;
}

export type RoundPlan =
  | ({
      readonly kind: "attempt";
    } & AttemptedEndpoints)
  | {
      readonly kind: "settle";
      readonly outcome: Outcome;
    };

export type RoundSignal = "success" | "failure" | "refused" | "refusing" | "local" | "blocked" | "none";

export interface Route {
  readonly deliver: readonly DestinationId[];
  readonly filtered: readonly FilteredUnit[];
}

export interface RoutedCall {
  readonly source: SourceId;
  readonly integrations?: JsonObject;
  readonly sharedIntegrations?: JsonObject;
  readonly timestamp: EpochMs;
}

export interface SentChanges {
  readonly destinations: readonly DestinationId[];
  readonly upTo: string | null;
  readonly asOf: number;
}

export interface SentSnapshot {
  readonly destination: DestinationId;
  readonly sync: number;
  readonly parts: readonly SnapshotRange[];
}

export interface SettledRound {
  readonly outcome: Outcome;
  readonly attempts: readonly AttemptRecord[];
  readonly endpoints: readonly EndpointState[];
  readonly signal: RoundSignal;
  readonly scheduleFault?: ScheduleFault;
}

export interface SharedFields {
  readonly context?: unknown;
  readonly integrations?: unknown;
}

export interface SharedObjects {
  readonly context?: SharedObject;
  readonly integrations?: SharedObject;
}

export interface Stamp {
  readonly messageId: string;
  readonly sentAt?: EpochMs | undefined;
}

export interface StampedCall {
  readonly call: CheckedCall;
  readonly messageId: string;
  readonly timestamp: EpochMs;
  readonly originalTimestamp?: EpochMs;
  readonly sentAt?: EpochMs;
  readonly receivedAt: EpochMs;
  readonly isAhead?: true;
}

export interface StandardWebhook {
  readonly id: string;
  readonly at: EpochMs;
}

export interface Standing {
  readonly succeededAt: EpochMs | undefined;
  readonly refused: number;
  readonly refusedSince: EpochMs | undefined;
  readonly lastRefused: string | undefined;
  readonly usual: number;
}

export type Standings = ReadonlyMap<EndpointId, Standing>;

export type Steps<Result> = Generator<"long" | undefined, Result, undefined>;

export interface TimeReading {
  readonly askedAt: MonoMs;
  readonly told: EpochMs;
  readonly answeredAt: MonoMs;
}

export interface TokenSlice {
  readonly tokens: BoardTokens;
  readonly taken: number;
}

export interface ToldRow {
  readonly row: BoardRow;
  readonly pace: Pace;
}

export interface Untold {
  readonly count: number;
  readonly since: EpochMs;
  readonly details: readonly string[];
  readonly toldAt: MonoMs | undefined;
}

export interface UnusualNumber {
  readonly path: string;
  readonly effect: string;
  readonly change: string;
}

export declare function addOccurrence(before: Untold | undefined, { count, at, detail }: Occurrence): Untold;

export declare function advanceSnapshot(
  parts: readonly SnapshotRange[],
  set: string,
  upTo: string | null,
): readonly SnapshotRange[];

export declare function advanceSync(record: AudienceRecord, { destinations, upTo, asOf }: SentChanges): AudienceRecord;

export declare function afterReply(
  standing: Standing,
  { messageId, isFirst, reply }: HeardReply,
  now: EpochMs,
): Standing;

export declare function afterRound(pace: Pace, round: EndedRound, now: MonoMs): Pace;

export declare function afterTelling(untold: Untold, now: MonoMs): Untold;

export declare function announce(share: BoardShare, isDrained: boolean, now: MonoMs): BoardShare;

export declare function audienceCall(audience: AudienceRecord, change: MemberChange): AudienceCall;

export declare function audienceKey(name: string, takenKeys: ReadonlySet<string>): AudienceKeyResult;

export declare function audienceSource(key: string): SourceId;

export declare function baseDelay(policy: RetryPolicy, rounds: number): number;

export declare function beginReplayStep(job: ReplayJob, step: ReplayJobStep): ReplayJob;

export declare function beginSync(record: AudienceRecord, holder: LeaseHolder, since: number): AudienceRecord;

export declare function buildRequest(body: Body, to: RequestTarget): HttpRequest;

export declare function checkCall(call: Call): CheckResult;

export declare function checkDeletion(request: DeletionRequest, sourceIds: ReadonlySet<SourceId>): readonly Problem[];

export declare function checkDelivery(policy: DeliveryPolicy, path: string): readonly Problem[];

export declare function checkJson(value: unknown): Refusal | undefined;

export declare function checkMerged(call: JsonObject, shared?: SharedObjects): CheckMergedResult;

export declare function checkSize(text: string): Refusal | undefined;

export declare function checkWorkspaceInSteps(workspace: Workspace): Steps<readonly Problem[]>;

export declare function clockOffset({ askedAt, told, answeredAt }: TimeReading): ClockOffset;

export declare function commitAt({ rows, since, isAwaited }: PendingRows, gatherMs: number): MonoMs;

export declare function confirmBoard(view: LaneView, { row, pace: announced }: ToldRow, now: BoardMoment): LaneView;

export declare function countReplayStep({ step, ...job }: ReplayJob, replayed: number, now: EpochMs): ReplayJob;

export declare function countsBalance(counts: Counts): boolean;

export declare function createDeadlines(clock: Pick<Clock, "monotonic" | "after">): Deadlines;

export declare function createExchange(timeoutMs: number, startedAt: MonoMs): Exchange;

export { createOptionsError } from "@postrider/core/batch";

export declare function decodeAudience({ text }: StoredRecord): AudienceRecord;

export declare function decodePause({ key, text }: StoredRecord): LanePause;

export declare function decodeReplayJob({ text }: StoredRecord): ReplayJob;

export declare function decodeSettings({ text }: StoredRecord): SettingsRevision;

export declare function decodeSettingsChange({ text }: StoredRecord): SettingsChange;

export declare function defined<T extends object>(fields: T): Defined<T>;

export declare function deleteMessageOf(userId: string, at: EpochMs): DeleteMessage;

export declare function describeResult(result: AttemptResult): Detail;

export declare function diffPages(previous: PageCursor, current: PageCursor, limit: number): PageDiff;

export declare function diffSorted(
  previous: Iterable<Member>,
  current: Iterable<Member>,
): Generator<MemberChange, void>;

export declare function encodeAudience(audience: AudienceRecord): StoredRecord;

export declare function encodeMessage(message: Message): Body;

export declare function encodePastSettings({
  document,
  ...change
}: SettingsRevision): readonly [StoredRecord, StoredRecord];

export declare function encodePause({ lane, pausedAt }: LanePause): StoredRecord;

export declare function encodeReplayJob(job: ReplayJob): StoredRecord;

export declare function encodeSettings({ document, ...change }: SettingsRevision): StoredRecord;

export declare function encodeWithContext(message: Message, context: string): Body;

export declare function endReplayJob(job: ReplayJob, state: "done" | "cancelled", endedAt: EpochMs): ReplayJob;

export declare function endSync(record: AudienceRecord, endedAt: EpochMs): AudienceRecord;

export declare function erasedUpTo({ erased }: AudienceRecord): number;

export declare function errorDocs(anchor: string): string;

export declare function formatDuration(ms: number): string;

export declare function formatTimestamp(at: EpochMs): string;

export declare function freeSlotsNeeded(inFlight: number): number;

export declare function hasMisspeltAll(integrations: JsonObject | undefined): boolean;

export declare function hearShares(share: BoardShare, { process, processes, askedAt }: HeardShares): BoardShare;

export declare function holdUntil(
  header: string | undefined,
  policy: RetryPolicy,
  draw: number,
  now: EpochMs,
): EpochMs | undefined;

export declare function initialPace(spread: number, limit?: number): Pace;

export declare function isAllowedByIntegrations(
  integrations: JsonObject | undefined,
  name: string,
  shared?: JsonObject,
): boolean;

export declare function isErasedFrom(record: AudienceRecord, request: number): boolean;

export declare function isForbidden(result: AttemptResult): boolean;

export declare function isLeaseValid({ aliveAt }: LeaseHolder, leaseMs: number, now: EpochMs): boolean;

export declare function isMoved(limit: number, row: BoardRow | undefined): boolean;

export declare function isNestedDeeper(json: Uint8Array, levels: number): boolean;

export declare function isNews(view: LaneView, { wall }: Pick<BoardMoment, "wall">): boolean;

export declare function isOfOneMessage(result: AttemptResult): boolean;

export declare function isOnDuty(process: ProcessId, living: readonly ProcessId[]): boolean;

export declare function isPlainObject(value: unknown): value is JsonObject;

export declare function isRefusing({ refused, refusedSince, usual }: Standing, now: EpochMs): boolean;

export declare function isRetrySchedule(value: unknown): value is RetrySchedule;

export declare function isSettled({ granted, announced, fair }: BoardShare): boolean;

export declare function isSpent({ count, toldAt }: Untold, now: MonoMs): boolean;

export declare function isToRemind(notedAt: MonoMs, now: MonoMs): boolean;

export declare function isToTell({ count, toldAt }: Untold, now: MonoMs): boolean;

export declare function joinBoard(now: MonoMs): BoardShare;

export declare function keepQuotes(query: string, text: string): string;

export declare function lacksProbe({ pace, onBoard }: Pick<LaneState, "pace" | "onBoard">, now: MonoMs): boolean;

export declare function lacksTokens(
  { rateLimit, onBoard }: Pick<LaneState, "rateLimit" | "onBoard">,
  now: MonoMs,
): boolean;

export declare function laneTroubles(lane: WatchedLane, policy: RetryPolicy, now: EpochMs): readonly LaneTrouble[];

export declare function lapsesInWords(lapses: Lapses): string;

export declare function lastSlot(
  policy: RetryPolicy,
  firstAttemptAt: EpochMs,
): {
  readonly from: EpochMs;
  readonly until: EpochMs;
};

export declare function leasedLeft({ left, until }: LeasedTokens, now: MonoMs): number;

export declare function longestHold({ maxRetryAfterMs, retryWindowMs }: RetryPolicy): number;

export declare function mapCall(stamped: StampedCall): Message;

export declare function mapInSteps<Item, Changed>(
  items: readonly Item[],
  change: (item: Item, index: number) => Changed,
): Steps<readonly Changed[]>;

export declare function maskEndpoint(endpoint: EndpointId): string;

export declare function mayStartRound(lane: LaneState): boolean;

export declare function mergeBoard(view: LaneView, row: BoardRow, now: BoardMoment): LaneView;

export declare function mergePages(lists: readonly PageCursor[]): PageMerge;

export declare function neededSets({ running, told, current }: AudienceRecord): ReadonlySet<string>;

export declare function needsConfirmation({ before, departed }: Removal, confirmed?: number): boolean;

export declare function newReplayJob({ id, createdAt, expected, filter }: NewReplayJob): ReplayJob;

export declare function nextRow(lane: BoardRow["lane"], view: LaneView, now: BoardMoment): BoardRow;

export declare function nextSliceAt(limit: RateLimit, tokens: BoardTokens, share: number, now: EpochMs): EpochMs;

export declare function nextTokenAt(limit: RateLimit, tokens: RateTokens | undefined, now: MonoMs): MonoMs;

export declare function nextTurns(ready: readonly ReadyLane[], { free, isAll }: SlotSupply): readonly ClaimGrant[];

export declare function noticeId(deletion: DeletionId, user: number): string;

export declare function noticeTargetsOf(
  sources: readonly SourceId[] | null,
  workspace: Pick<Workspace, "sources" | "destinations">,
): readonly NoticeTarget[];

export declare function parseTimestamp(text: string): EpochMs | undefined;

export declare function pathOf(place: Place): string;

export declare function pathTo(parent: string, step: string | number): string;

export declare function pauseFor(clock: Pick<Clock, "after">, delayMs: number): Promise<void>;

export declare function plainCall(call: unknown): unknown;

export declare function planRound(delivery: RoundDelivery, context: RoundContext, now: EpochMs): RoundPlan;

export declare function probeNow(pace: Pace, now: MonoMs): Pace;

export declare function probeRetries({ probes }: Backoff): 0 | undefined;

export declare function rangeAfter(
  parts: readonly SnapshotRange[],
  after: string | undefined,
): SnapshotRange | undefined;

export declare function rangeEndsAt({ told }: AudienceRecord, userIds: ReadonlySet<string>): readonly RangeEnd[];

export declare function readInstant(value: unknown): EpochMs | undefined;

export declare function readMember(audience: AudienceRecord, input: unknown): ReadMemberResult;

export declare function readRetryAfter(
  header: string | undefined,
  longestMs: number,
  now: EpochMs,
): EpochMs | undefined;

export declare function readShared(fields: SharedFields): SharedObjects;

export declare function readSharedInSteps({ context, integrations }: SharedFields): Steps<SharedObjects>;

export declare function readWriteKey(writeKey: Secret): ReadWriteKeyResult;

export declare function readinessOf(lane: LaneState, now: LaneMoment): LaneReadiness;

export declare function recheckBlocked(pace: Pace, now: MonoMs): Pace;

export declare function recordAttempt({ endpoint, startedAt, reply }: EndedAttempt, round: number): AttemptRecord;

export declare function recordErased(
  record: AudienceRecord,
  request: number,
  moved: readonly MovedRangeEnd[],
): AudienceRecord;

export declare function refuseCall(code: RefusalCode, path: string, expected: string): RefusedCall;

export declare function releaseReplayJob(job: ReplayJob): ReplayJob;

export declare function releaseSync(record: AudienceRecord): AudienceRecord;

export declare function resumeSync(record: AudienceRecord, holder: LeaseHolder): AudienceRecord;

export declare function routeCall(
  call: RoutedCall,
  destinations: readonly Destination[],
  historicalAfterMs: number,
  now: EpochMs,
): Route;

export declare function runSteps<Result>(steps: Steps<Result>): Result;

export declare function sampledTraceparent(text: unknown): string | undefined;

export declare function sentRange(parts: readonly SnapshotRange[], set: string): SnapshotRange | null;

export declare function setName({
  key,
  sync,
  run,
}: {
  readonly key: string;
  readonly sync: number;
  readonly run: number;
}): string;

export declare function setPrefix(key: string): string;

export declare function setsOfSync(key: string, sync: number, sets: readonly string[]): readonly string[];

export declare function settleRound(round: RoundEnd, draws: Draws, now: EpochMs): SettledRound;

export declare function settleWithoutRound(
  { endpoints }: Pick<RoundDelivery, "endpoints">,
  outcome: Outcome,
): SettledRound;

export declare function shareOfLimit(limit: number, share: number): number;

export declare function shareRetries(limit: number, carry: number): RetryShare;

export declare function signMessageId(key: string, values: readonly string[]): string;

export declare function signStandardWebhook(
  secrets: readonly Secret[],
  { id, at }: StandardWebhook,
  body: Uint8Array,
): readonly Header[];

export declare function skipDestinations(
  record: AudienceRecord,
  destinations: readonly DestinationId[],
): AudienceRecord;

export declare function slotsInShare(inFlight: number, free: number): number;

export declare function snakeCase(name: string): string;

export declare function snapshotOf({ told }: AudienceRecord, destination: DestinationId): SentSnapshot;

export declare function sortMembers(members: readonly Member[]): readonly Member[];

export declare function spendCalls(
  limit: RateLimit,
  allowance: Allowance | undefined,
  calls: number,
  now: MonoMs,
): RateDecision;

export declare function spreadDueTime(
  { firstAttemptAt, dueAt, claimingSince }: Lateness,
  policy: RetryPolicy,
  draw: number,
  now: EpochMs,
): EpochMs | undefined;

export declare function stampCall(call: CheckedCall, stamp: Stamp, now: EpochMs): StampedCall;

export declare function startDelivery(arrival: LaneOnArrival, size: number, now: EpochMs): InitialState;

export declare function startSending(record: AudienceRecord, { erased, ...sending }: CollectedSet): AudienceRecord;

export declare function startableByRate({ rateLimit, tokens, onBoard }: LaneState, now: MonoMs): number;

export declare function storeErrorCodeOf(error: unknown): StoreErrorCode | undefined;

export declare function takeProbe(
  row: BoardRow,
  { timeoutMs, isHastened }: ProbeRequest,
  now: BoardMoment,
): BoardRow | undefined;

export declare function takeReplayJob(job: ReplayJob, holder: LeaseHolder): ReplayJob;

export declare function takeSlice(
  limit: RateLimit,
  tokens: BoardTokens | undefined,
  { share, wanted }: SliceRequest,
  now: EpochMs,
): TokenSlice;

export declare function takeTokens(
  limit: RateLimit,
  tokens: RateTokens | undefined,
  count: number,
  now: MonoMs,
): RateTokens;

export declare function tokensLeft(limit: RateLimit, tokens: RateTokens | undefined, now: MonoMs): number;

export declare function totalCounts(sources: readonly SourceCounts[]): Counts;

export declare function unusedSets(record: AudienceRecord, sets: readonly string[]): readonly string[];

export declare function unusualNumbers(settings: {
  readonly delivery: DeliveryPolicy;
  readonly retention: Retention;
}): readonly UnusualNumber[];

export declare function uploadedSets(record: AudienceRecord, sets: readonly string[]): readonly string[];

export declare function usableLimit({ pace, onBoard }: Pick<LaneState, "pace" | "onBoard">): number;

export declare function usableShare({ granted, fair }: BoardShare): number;

export declare function usableSlots(lane: LaneState, now: MonoMs): number;

export declare function usersOf(call: Call): readonly string[];

export declare function wantedSlots(lane: LaneState): number;

export declare function webhookId(source: SourceId, messageId: string): string;

export { writeMessageId } from "@postrider/core/batch";

export declare function writeNotification(notification: Notification, leftOut: number): Body;

// Not exported by name, but part of what is.

type CheckMergedResult =
  | {
      readonly kind: "ok";
      readonly context: string | undefined;
      readonly seen: number;
      readonly imprecise: readonly string[] | undefined;
    }
  | {
      readonly kind: "refused";
      readonly refusal: Refusal;
      readonly seen: number;
    };

interface DeadlineLine {
  readonly afterMs: number;
  readonly waiting: Set<Deadline>;
  cancelTimer: Cancel | undefined;
}

interface HeardShares {
  readonly process: ProcessId;
  readonly processes: readonly BoardProcess[];
  readonly askedAt: MonoMs;
}

interface ImpreciseNumber {
  readonly key: string;
  readonly path: string;
}

interface JsonText {
  readonly text: string;
  readonly bytes: number;
}

interface NotifiedLane {
  readonly mode: LaneMode;
  readonly waiting: number;
  readonly windowEndsAt?: EpochMs;
}

interface ProbeRequest {
  readonly timeoutMs: number;
  readonly isHastened: boolean;
}

interface Removal {
  readonly before: number;
  readonly departed: number;
}

interface RetryShare {
  readonly retries: number;
  readonly carry: number;
}

interface SharedObject {
  readonly fields: JsonObject;
  readonly whole: JsonText;
  readonly text: string;
  readonly bytes: number;
  readonly parts: ReadonlyMap<string, SharedPart>;
  readonly indexed: readonly SharedPart[];
  readonly bad: readonly SharedPart[];
  readonly isCut: boolean;
  readonly imprecise: readonly ImpreciseNumber[] | undefined;
}

interface SharedPart {
  readonly key: string;
  readonly order: number;
  readonly start: number;
  readonly end: number;
  readonly bytes: number;
  readonly refusal: Refusal | undefined;
}

interface SliceRequest {
  readonly share: number;
  readonly wanted: number;
}

interface SlotSupply {
  readonly free: number;
  readonly isAll: boolean;
}

interface WatchedLane {
  readonly pace: Pick<Pace, "health" | "backoff">;
  readonly hasTaken: boolean;
  readonly lastFailure: Pick<LaneFailure, "isRefusal"> | undefined;
  readonly deaths: number;
  readonly deliveries: number;
  readonly firstAttemptAt: EpochMs | undefined;
}

export {};
