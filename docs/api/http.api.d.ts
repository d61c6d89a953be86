// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/http/api` exports.

import type {
  AudienceDefinition,
  CallWarning,
  Clock,
  DeadReason,
  DeliveryId,
  DeliveryState,
  DestinationId,
  EpochMs,
  Fault,
  FilterReason,
  FilteredUnit,
  JsonObject,
  LaneBackoff,
  LaneClosure,
  LaneMode,
  MessageType,
  PausedBy,
  Problem,
  RefusalCode,
  Regulation,
  ReplayJob,
  ReplayedState,
  Secret,
  SettingsChange,
  SettingsPutResult,
  SourceId,
  Verdict,
} from "@postrider/core";
import type { Handler, RequestHead } from "@postrider/http";
import type {
  Audiences,
  Deletions,
  LaneRequests,
  Relay,
  RelayEvent,
  ReplayJobs,
  ReplayPreview,
  SyncProgress,
  TestFault,
  TestReport,
  TestRequest,
  UserDataRequests,
} from "@postrider/relay";

export interface ApiOptions extends TrustedApiOptions {
  readonly apiToken?: Secret | (() => Secret | undefined);
  readonly clock?: Pick<Clock, "monotonic">;
  readonly onWrongToken?: () => void;
}

export interface AskedOperation {
  readonly id: string;
  readonly readBy: ReadBy | undefined;
}

export interface AttemptJson extends ExchangeJson {
  readonly round: number;
  readonly verdict: Verdict;
}

export interface AudienceJson {
  readonly key: string;
  readonly id: string;
  readonly name: string;
  readonly kind: AudienceDefinition["kind"];
  readonly sendsAs: AudienceDefinition["sendsAs"];
  readonly destinations: readonly string[];
  readonly createdAt: string;
  readonly running: RunningSyncJson | null;
  readonly last: EndedSyncJson | null;
  readonly told: readonly ToldJson[];
}

export interface CallJson extends Pick<RecentCall, "number" | "outcome" | "warnings" | "calls"> {
  readonly at: string;
  readonly source: string | null;
  readonly messageId: string | null;
  readonly deliveries: readonly string[];
  readonly filtered: readonly {
    readonly destination: string | null;
    readonly reason: FilterReason;
  }[];
  readonly refusal: {
    readonly code: RefusalCode;
    readonly path: string;
  } | null;
}

export interface CallerUsage {
  readonly connections: number;
  readonly requests: number;
  readonly reading: number;
  readonly bytes: number;
  readonly keylessBytes: number;
}

export type CertificateOutcome =
  | "replaced"
  | "unchanged"
  | {
      readonly refused: string;
    };

export interface DeletionJson {
  readonly id: string;
  readonly state: DeletionState;
  readonly regulation: Regulation;
  readonly sources: readonly string[] | null;
  readonly requestedAt: string;
  readonly finishedAt: string | null;
  readonly users: number;
  readonly notified: number;
  readonly purged: number;
  readonly notices: readonly NoticesJson[];
}

export interface DeliveryJson {
  readonly id: string;
  readonly state: DeliveryState;
  readonly reason: DeadReason | null;
  readonly detail: string | null;
  readonly source: string;
  readonly destination: string;
  readonly type: MessageType;
  readonly messageId: string;
  readonly acceptedAt: string;
  readonly dueAt: string | null;
  readonly attemptCount: number;
  readonly replayOf: string | null;
}

export interface DeliveryPageJson {
  readonly deliveries: readonly DeliveryJson[];
  readonly next: string | null;
}

export interface DeliveryRequestsJson {
  readonly id: string;
  readonly requests: readonly RequestJson[];
}

export type DraftProbeOutcome =
  | {
      readonly kind: "probed";
      readonly findings: readonly EndpointFinding[];
    }
  | {
      readonly kind: "failed";
      readonly fault: {
        readonly code: "unknown-destination" | "too-many-tests";
      };
    }
  | ({
      readonly kind: "invalid";
    } & SettingsCheck);

export type DraftTestOutcome =
  | {
      readonly kind: "sent";
      readonly report: TestReport;
    }
  | {
      readonly kind: "failed";
      readonly fault: TestFault;
    }
  | ({
      readonly kind: "invalid";
    } & SettingsCheck);

export interface ExplanationJson {
  readonly id: string;
  readonly reasons: readonly ReasonJson[];
  readonly sentences: readonly string[];
  readonly lapses: string | null;
  readonly nextAttemptAt: string | null;
  readonly windowEndsAt: string | null;
}

export interface FindingJson extends Omit<EndpointFinding, "change"> {
  readonly change: string | null;
}

export interface HealthJson {
  readonly healthy: boolean;
  readonly reason: string | null;
}

export declare const INTAKE_OUTCOMES: readonly [
  "accepted",
  "filtered",
  "duplicate",
  "suppressed",
  "refused",
  "shed",
  "unknown-key",
];

export interface LaneJson {
  readonly destination: string;
  readonly mode: LaneMode;
  readonly pausedBy: readonly PausedBy[];
  readonly backoff: BackoffJson | null;
  readonly lastFailure: FailureJson | null;
  readonly deaths: number;
  readonly deliveries: number;
  readonly bytes: number;
  readonly nextDueAt: string | null;
  readonly windowEndsAt: string | null;
  readonly inFlight: number;
  readonly limit: number;
  readonly rate: RateJson | null;
  readonly endpointHolds: readonly HoldJson[];
}

export interface MetricsOptions {
  readonly token?: Secret | (() => Secret | undefined);
  readonly render: (accept: string | undefined) => RenderedMetrics | Promise<RenderedMetrics>;
  readonly clock?: Pick<Clock, "monotonic">;
  readonly onWrongToken?: () => void;
}

export interface RecentCalls {
  readonly observe: (event: RelayEvent) => void;
  readonly noteUnknownKey: () => void;
  list(query: RecentCallsQuery): RecentCallsPage;
}

export interface RecentEvents {
  readonly observe: (event: RelayEvent) => void;
  readonly startedAt: EpochMs;
  latest(): number;
  forgotten(): number;
  after(position: number, most: number): EventPage;
  isFull(): boolean;
  join(): () => void;
  change(signal: AbortSignal, waitMs: number): Promise<"event" | "quiet" | "aborted">;
}

export interface RecordJson extends DeliveryJson {
  readonly message: JsonObject | null;
  readonly attempts: readonly AttemptJson[];
  readonly lapses: LapsesJson | null;
}

export type Reload = () => Promise<ReloadOutcome>;

export type ReloadOutcome =
  | {
      readonly kind: "configured";
      readonly sources: number;
      readonly destinations: number;
      readonly needsRestart: readonly string[];
      readonly certificate?: CertificateOutcome;
    }
  | {
      readonly kind: "refused";
      readonly problems: readonly ReloadProblem[];
      readonly certificate?: CertificateOutcome;
    }
  | {
      readonly kind: "stopped" | "superseded";
    };

export interface ReloadProblem extends Omit<Problem, "code"> {
  readonly code: string;
}

export interface ReplayJobJson {
  readonly id: string;
  readonly state: ReplayJob["state"];
  readonly createdAt: string;
  readonly endedAt: string | null;
  readonly expected: number;
  readonly replayed: number;
  readonly skipped: number;
  readonly filter: ReplayFilterJson;
}

export interface ReplayPreviewJson {
  readonly deliveries: number;
  readonly isWhole: boolean;
  readonly oldest: string | null;
  readonly newest: string | null;
  readonly byDestination: readonly {
    readonly destination: string;
    readonly deliveries: number;
  }[];
  readonly byReason: readonly {
    readonly reason: DeadReason | "delivered";
    readonly deliveries: number;
  }[];
  readonly outOfReach: ReplayPreview["outOfReach"];
  readonly examples: readonly DeliveryJson[];
}

export interface SeriesJson {
  readonly step: number;
  readonly from: string;
  readonly until: string;
  readonly calls: ReadSeries["calls"];
  readonly destination: ReadColumns<LaneColumn> | null;
}

export interface SettingsChangeJson {
  readonly revision: number;
  readonly actor: string | null;
  readonly changedAt: string;
}

export interface SettingsCheck {
  readonly problems: readonly ReloadProblem[];
}

export interface SettingsDesk {
  readonly owner: "file" | "store";
  locked(): readonly string[];
  inForce(): number | undefined;
  refused():
    | (SettingsCheck & {
        readonly revision: number;
      })
    | undefined;
  show(revision?: number): Promise<ShownSettings | undefined>;
  history(): Promise<readonly SettingsChange[]>;
  check(document: unknown): Promise<SettingsCheck>;
  probe(draft: { readonly document: unknown; readonly destination: DestinationId }): Promise<DraftProbeOutcome>;
  test(
    draft: {
      readonly document: unknown;
    } & TestRequest,
  ): Promise<DraftTestOutcome>;
  put(edit: { readonly expect: number; readonly document: unknown; readonly actor?: string }): Promise<SettingsOutcome>;
}

export interface SettingsJson {
  readonly owner: "file" | "store";
  readonly revision: number | null;
  readonly actor: string | null;
  readonly changedAt: string | null;
  readonly locked: readonly string[];
  readonly inForce: number | null;
  readonly refused: {
    readonly revision: number;
    readonly problems: readonly ReloadProblem[];
  } | null;
  readonly document: JsonObject;
}

export interface SourceJson {
  readonly source: string;
  readonly name: string;
  readonly destinations: readonly ConnectedJson[];
}

export interface TestReportJson {
  readonly destination: string;
  readonly messageId: string;
  readonly attempts: readonly TestAttemptJson[];
}

export interface TrustedApiOptions {
  readonly relay: ApiRelay;
  readonly held?: () => CallerUsage;
  readonly calls?: RecentCalls;
  readonly events?: RecentEvents;
  readonly series?: ReadableSeries;
  readonly reload?: Reload;
  readonly desk?: SettingsDesk;
  readonly program?: string;
  readonly server?: string;
  readonly fault?: () => string | undefined;
}

export interface VersionJson {
  readonly program: string | null;
  readonly server: string | null;
  readonly api: number;
  readonly config: number;
}

export declare function askedOperation(head: RequestHead): AskedOperation | undefined;

export declare function createApi({ apiToken, clock, onWrongToken, ...shown }: ApiOptions): Handler;

export declare function createMetrics({ token, render, clock, onWrongToken }: MetricsOptions): Handler;

export declare function createRecentCalls(clock: Pick<Clock, "wall">): RecentCalls;

export declare function createRecentEvents(clock: Pick<Clock, "wall" | "after">): RecentEvents;

export declare function createTrustedApi({ relay, held, server, fault, ...shown }: TrustedApiOptions): Handler;

export declare function isUpload(head: RequestHead): boolean;

// Not exported by name, but part of what is.

type ApiRelay = Pick<
  Relay,
  | "delivery"
  | "deliveries"
  | "explain"
  | "forget"
  | "health"
  | "lanes"
  | "replay"
  | "replayMany"
  | "requests"
  | "seen"
  | "test"
  | "usage"
  | "workspace"
> &
  Audiences &
  Deletions &
  LaneRequests &
  ReplayJobs &
  UserDataRequests;

interface BackoffJson {
  readonly kind: LaneBackoff["kind"];
  readonly since: string | null;
  readonly detail: string | null;
  readonly probes: number;
  readonly nextProbeAt: string;
}

interface ClosureJson {
  readonly mode: LaneClosure["mode"];
  readonly pausedBy: readonly PausedBy[];
}

interface ConnectedJson {
  readonly destination: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly paused: boolean;
  readonly acceptsHistorical: boolean;
}

type DeletionState = "purging" | "notifying" | "finishing" | "delivering" | "undelivered" | "finished";

interface EndedSyncJson {
  readonly sync: number;
  readonly members: number;
  readonly entered: number;
  readonly departed: number;
  readonly changed: number;
  readonly endedAt: string;
}

interface EndpointFinding {
  readonly kind: "fault" | "warning" | "ok";
  readonly code: string;
  readonly path: string;
  readonly message: string;
  readonly change?: string;
}

interface EventPage {
  readonly events: readonly NumberedEvent[];
  readonly dropped: number;
}

interface ExchangeJson {
  readonly endpoint: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly fault: Fault | null;
  readonly excerpt: string | null;
}

interface FailureJson {
  readonly detail: string;
  readonly at: string;
  readonly isRefusal: boolean;
}

interface HoldJson {
  readonly endpoint: string;
  readonly until: string;
}

type IntakeOutcome = (typeof INTAKE_OUTCOMES)[number];

type LaneColumn =
  "delivered" | "retries" | "dead" | "waiting" | "deliveryP50" | "deliveryP99" | "requestP50" | "requestP99";

interface LapsesJson {
  readonly count: number;
  readonly process: string;
  readonly leaseUntil: string;
  readonly takenAt: string;
  readonly takenBy: string | null;
  readonly inWords: string;
}

type Measurement = "committed" | "claimed" | "answered";

interface NoticesJson {
  readonly source: string;
  readonly stored: number;
  readonly open: number;
  readonly delivered: number;
  readonly dead: number;
}

interface NumberedEvent {
  readonly number: number;
  readonly event: StreamedEvent;
  readonly json: () => string;
}

interface RateJson {
  readonly perSecond: number;
  readonly burst: number;
  readonly left: number;
  readonly nextAt: string;
}

type ReadBy = "viewer" | "content" | "operator";

type ReadColumns<Name extends string> = Readonly<Record<Name, readonly (number | null)[]>>;

interface ReadSeries {
  readonly step: number;
  readonly from: EpochMs;
  readonly until: EpochMs;
  readonly calls: ReadColumns<Exclude<IntakeOutcome, "unknown-key">>;
  readonly destination: ReadColumns<LaneColumn> | undefined;
}

interface ReadableSeries {
  readonly read: (query: {
    readonly step: 10 | 300;
    readonly destination?: DestinationId | undefined;
    readonly since?: EpochMs | undefined;
  }) => ReadSeries;
}

type ReasonJson =
  | {
      readonly kind: "delivered";
      readonly attempt: AttemptJson | null;
    }
  | {
      readonly kind: "expired";
      readonly attempt: AttemptJson | null;
      readonly others: readonly AttemptJson[];
      readonly windowEndsAt: string | null;
      readonly isCutShort: boolean;
      readonly closedNow: ClosureJson | null;
    }
  | {
      readonly kind: "lane-full";
      readonly closedNow: ClosureJson | null;
    }
  | {
      readonly kind: "refused";
      readonly attempts: readonly AttemptJson[];
      readonly isFinal: boolean;
    }
  | {
      readonly kind: "not-in-settings";
      readonly endsAt: string;
    }
  | {
      readonly kind: "paused";
      readonly by: readonly PausedBy[];
    }
  | BackoffJson
  | {
      readonly kind: "endpoint-holds";
      readonly holds: readonly HoldJson[];
      readonly until: string;
    }
  | {
      readonly kind: "backoff";
      readonly attempt: AttemptJson;
      readonly others: readonly AttemptJson[];
      readonly leftOut: readonly string[];
      readonly holds: readonly HoldJson[];
      readonly dueAt: string;
    }
  | {
      readonly kind: "not-due";
      readonly dueAt: string;
    }
  | {
      readonly kind: "rate-limit";
      readonly nextAt: string;
    }
  | {
      readonly kind: "lane-busy";
      readonly deliveries: number;
      readonly limit: number;
    }
  | {
      readonly kind: "in-flight" | "lease-ended";
      readonly leaseUntil: string;
    }
  | {
      readonly kind: "never-allowed" | "purged" | "destination-removed" | "off" | "due";
    };

interface RecentCall {
  readonly number: number;
  readonly at: EpochMs;
  readonly outcome: IntakeOutcome;
  readonly source?: SourceId | undefined;
  readonly messageId?: string | undefined;
  readonly deliveries: readonly DeliveryId[];
  readonly filtered: readonly FilteredUnit[];
  readonly refusal?:
    | {
        readonly code: RefusalCode;
        readonly path: string;
      }
    | undefined;
  readonly warnings: readonly CallWarning[];
  readonly calls: number;
}

interface RecentCallsPage {
  readonly calls: readonly RecentCall[];
  readonly latest: number;
  readonly missed: number;
}

interface RecentCallsQuery {
  readonly source?: SourceId;
  readonly outcome?: IntakeOutcome;
  readonly messageId?: string;
  readonly after?: number;
  readonly limit: number;
}

interface RenderedMetrics {
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

interface ReplayFilterJson {
  readonly states: readonly ReplayedState[];
  readonly reason: DeadReason | null;
  readonly details: readonly string[] | null;
  readonly source: string | null;
  readonly destination: string | null;
  readonly type: MessageType | null;
  readonly since: string | null;
  readonly until: string | null;
}

interface RequestJson {
  readonly method: "POST";
  readonly url: string;
  readonly headers: readonly {
    readonly name: string;
    readonly value: string;
  }[];
  readonly body: string;
}

interface RunningSyncJson {
  readonly sync: number;
  readonly done: number | null;
  readonly total: number | null;
  readonly phase: SyncProgress["phase"];
  readonly members: number | null;
  readonly entered: number;
  readonly departed: number;
  readonly changed: number;
  readonly left: readonly string[] | null;
}

type SettingsOutcome =
  | SettingsPutResult
  | ({
      readonly kind: "invalid";
    } & SettingsCheck)
  | {
      readonly kind: "file";
    };

interface ShownSettings extends Partial<SettingsChange> {
  readonly document: JsonObject;
}

type StreamedEvent = Exclude<
  RelayEvent,
  {
    readonly kind: Measurement;
  }
>;

interface TestAttemptJson extends ExchangeJson {
  readonly verdict: TestVerdict;
}

type TestVerdict = TestReport["attempts"][number]["verdict"];

interface ToldJson {
  readonly destination: string;
  readonly sync: number;
}

export {};
