// The parts of the API's answers that the page reads. openapi.json describes their meaning.

export type DeliveryState = "waiting" | "claimed" | "delivered" | "dead";

export interface Delivery {
  readonly id: string;
  readonly state: DeliveryState;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly source: string;
  readonly destination: string;
  readonly type: string;
  readonly messageId: string;
  readonly acceptedAt: string;
  readonly dueAt: string | null;
  readonly attemptCount: number;
  readonly replayOf: string | null;
}

export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  readonly next: string | null;
}

export interface Attempt {
  readonly round: number;
  readonly endpoint: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly fault: string | null;
  readonly excerpt: string | null;
  readonly verdict: "success" | "retry" | "refused";
}

export interface DeliveryRecord extends Delivery {
  readonly hasMessage: boolean;
  readonly attempts: readonly Attempt[];
}

export interface Explanation {
  readonly sentences: readonly string[];
  readonly lapses: string | null;
  readonly nextAttemptAt: string | null;
  readonly windowEndsAt: string | null;
}

export type LaneMode = "open" | "held" | "refusing" | "blocked" | "paused" | "off" | "gone";

export interface Lane {
  readonly destination: string;
  readonly mode: LaneMode;
  readonly pausedBy: readonly ("settings" | "operator")[];
  readonly backoff: {
    readonly since: string | null;
    readonly detail: string | null;
    readonly probes: number;
    readonly nextProbeAt: string;
  } | null;
  readonly lastFailure: { readonly detail: string; readonly at: string; readonly isRefusal: boolean } | null;
  readonly deaths: number;
  readonly deliveries: number;
  readonly nextDueAt: string | null;
  readonly windowEndsAt: string | null;
  readonly inFlight: number;
  readonly limit: number;
  readonly rate: { readonly left: number; readonly burst: number } | null;
}

/** A number for each interval; null where nothing is known. */
export type Column = readonly (number | null)[];

export interface Series {
  /** Seconds. */
  readonly step: number;
  readonly from: string;
  readonly calls: Readonly<Record<"accepted" | "filtered" | "duplicate" | "suppressed" | "refused" | "shed", Column>>;
  readonly destination: Readonly<
    Record<
      "delivered" | "retries" | "dead" | "waiting" | "deliveryP50" | "deliveryP99" | "requestP50" | "requestP99",
      Column
    >
  > | null;
}

export interface ReplayJob {
  readonly id: string;
  readonly state: "running" | "done" | "cancelled";
  readonly createdAt: string;
  readonly endedAt: string | null;
  readonly expected: number;
  readonly replayed: number;
  readonly skipped: number;
}

export interface ReplayPreview {
  readonly deliveries: number;
  readonly isWhole: boolean;
  readonly oldest: string | null;
  readonly newest: string | null;
  readonly byDestination: readonly { readonly destination: string; readonly deliveries: number }[];
  readonly byReason: readonly { readonly reason: string; readonly deliveries: number }[];
  readonly outOfReach: { readonly purged: number; readonly "destination-removed": number };
}

export interface Call {
  readonly number: number;
  readonly at: string;
  readonly outcome: string;
  readonly source: string | null;
  readonly messageId: string | null;
  readonly deliveries: readonly string[];
  readonly filtered: readonly { readonly destination: string | null; readonly reason: string }[];
  readonly refusal: { readonly code: string; readonly path: string } | null;
  readonly calls: number;
}

export interface Audience {
  readonly key: string;
  readonly name: string;
  readonly kind: "audience" | "trait";
  readonly destinations: readonly string[];
  readonly running: {
    readonly phase: "collecting" | "merging" | "comparing" | "sending";
    readonly done: number | null;
    readonly total: number | null;
  } | null;
  readonly last: {
    readonly members: number;
    readonly entered: number;
    readonly departed: number;
    readonly changed: number;
    readonly endedAt: string;
  } | null;
}

export type Regulation = "delete-only" | "suppress-with-delete" | "suppress-only" | "unsuppress";

export interface Deletion {
  readonly id: string;
  readonly state: "purging" | "notifying" | "finishing" | "delivering" | "undelivered" | "finished";
  readonly regulation: Regulation;
  readonly requestedAt: string;
  readonly users: number;
  readonly purged: number;
  readonly notices: readonly {
    readonly stored: number;
    readonly open: number;
    readonly delivered: number;
    readonly dead: number;
  }[];
}

export interface Version {
  readonly program: string | null;
  readonly server: string | null;
}

export interface Health {
  readonly healthy: boolean;
  readonly reason: string | null;
}

export interface SourceJson {
  readonly source: string;
  readonly name: string;
}
