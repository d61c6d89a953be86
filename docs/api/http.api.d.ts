// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/http/api` exports.

import type {
  CallWarning,
  Clock,
  DeliveryId,
  DestinationId,
  EpochMs,
  FilteredUnit,
  JsonObject,
  Problem,
  RefusalCode,
  Secret,
  SettingsChange,
  SettingsPutResult,
  SourceId,
} from "@postrider/core";
import type { Handler, RequestHead } from "@postrider/http";
import type {
  Audiences,
  Deletions,
  LaneRequests,
  Relay,
  RelayEvent,
  ReplayJobs,
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

export declare const INTAKE_OUTCOMES: readonly [
  "accepted",
  "filtered",
  "duplicate",
  "suppressed",
  "refused",
  "shed",
  "unknown-key",
];

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

type IntakeOutcome = (typeof INTAKE_OUTCOMES)[number];

type LaneColumn =
  ("delivered" | "retries" | "dead" | "waiting") | ("deliveryP50" | "deliveryP99" | "requestP50" | "requestP99");

type Measured = "committed" | "claimed" | "answered";

interface NumberedEvent {
  readonly number: number;
  readonly event: StreamedEvent;
  readonly json: () => string;
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

interface ReloadProblem extends Omit<Problem, "code"> {
  readonly code: string;
}

interface RenderedMetrics {
  readonly contentType: string;
  readonly body: string | Uint8Array;
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
    readonly kind: Measured;
  }
>;

export {};
