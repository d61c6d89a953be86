// Writes a lane as JSON: its mode and the reasons for which it waits, with the schemas for the document of the API.
// Endpoints are shown without the values of their queries.

import {
  LANE_MODES,
  type LaneBackoff,
  type LaneMode,
  type PausedBy,
  type EndpointHold,
  type EpochMs,
  type LaneFailure,
  type LaneRate,
  type LaneStatus,
} from "@postrider/core";
import { formatTimestamp, maskEndpoint } from "@postrider/core/engine";
import {
  choiceSchema,
  component,
  flagSchema,
  instantSchema,
  integerSchema,
  listSchema,
  numberSchema,
  orNull,
  type SchemaOf,
  textSchema,
  unionSchema,
} from "./contract/json-schema.js";

/** The reason for which only probes are sent. */
export interface BackoffJson {
  readonly kind: LaneBackoff["kind"];
  readonly since: string | null;
  readonly detail: string | null;
  readonly probes: number;
  readonly nextProbeAt: string;
}

export const BACKOFF: SchemaOf<BackoffJson> = component<BackoffJson>("Backoff", {
  kind: unionSchema<LaneBackoff["kind"]>({ held: true, refusing: true, blocked: true }),
  since: orNull(instantSchema()),
  detail: orNull(textSchema()),
  probes: integerSchema(),
  nextProbeAt: instantSchema(),
});

/** The last round without success. */
interface FailureJson {
  readonly detail: string;
  readonly at: string;
  readonly isRefusal: boolean;
}

const FAILURE = component<FailureJson>("LaneFailure", {
  detail: textSchema(),
  at: instantSchema(),
  isRefusal: flagSchema(),
});

/** The hold of an endpoint that asked for time by Retry-After. */
export interface HoldJson {
  readonly endpoint: string;
  readonly until: string;
}

export const HOLD: SchemaOf<HoldJson> = component<HoldJson>("EndpointHold", {
  endpoint: textSchema(),
  until: instantSchema(),
});

/** A rate limit, and its remaining tokens. */
interface RateJson {
  readonly perSecond: number;
  readonly burst: number;
  readonly left: number;
  readonly nextAt: string;
}

const RATE = component<RateJson>("Rate", {
  perSecond: numberSchema(),
  burst: numberSchema(),
  left: numberSchema(),
  nextAt: instantSchema(),
});

export const PAUSED_BY: SchemaOf<PausedBy> = unionSchema<PausedBy>({ settings: true, operator: true });

/** A lane in an answer: every key is always present, null if it does not apply. */
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

export const LANE: SchemaOf<LaneJson> = component<LaneJson>("Lane", {
  destination: textSchema(),
  mode: choiceSchema(LANE_MODES),
  pausedBy: listSchema(PAUSED_BY),
  backoff: orNull(BACKOFF),
  lastFailure: orNull(FAILURE),
  deaths: integerSchema(),
  deliveries: integerSchema(),
  bytes: integerSchema(),
  nextDueAt: orNull(instantSchema()),
  windowEndsAt: orNull(instantSchema()),
  inFlight: integerSchema(),
  limit: integerSchema(),
  rate: orNull(RATE),
  endpointHolds: listSchema(HOLD),
});

/** A lane in an answer: every key is always present, null if it does not apply. */
export function describeLane(lane: LaneStatus): LaneJson {
  return {
    destination: lane.lane,
    mode: lane.mode,
    pausedBy: lane.pausedBy,
    backoff: lane.backoff === undefined ? null : describeBackoff(lane.backoff),
    lastFailure: lane.lastFailure === undefined ? null : describeFailure(lane.lastFailure),
    deaths: lane.deaths,
    deliveries: lane.deliveries,
    bytes: lane.bytes,
    nextDueAt: instantOrNull(lane.nextDueAt),
    windowEndsAt: instantOrNull(lane.windowEndsAt),
    inFlight: lane.inFlight,
    limit: lane.limit,
    rate: lane.rate === undefined ? null : describeRate(lane.rate),
    endpointHolds: lane.endpointHolds.map(describeHold),
  };
}

/** The reason for which only probes are sent. */
export function describeBackoff({ kind, since, detail, probes, nextProbeAt }: LaneBackoff): BackoffJson {
  return {
    kind,
    since: instantOrNull(since),
    detail: detail ?? null,
    probes,
    nextProbeAt: formatTimestamp(nextProbeAt),
  };
}

function describeFailure({ detail, at, isRefusal }: LaneFailure): FailureJson {
  return { detail, at: formatTimestamp(at), isRefusal };
}

/** An endpoint that asked for a pause. */
export function describeHold({ endpoint, until }: EndpointHold): HoldJson {
  return { endpoint: maskEndpoint(endpoint), until: formatTimestamp(until) };
}

/** An instant as text; null if there is none. */
export function instantOrNull(at: EpochMs | undefined): string | null {
  return at === undefined ? null : formatTimestamp(at);
}

function describeRate({ perSecond, burst, left, nextAt }: LaneRate): RateJson {
  return { perSecond, burst, left, nextAt: formatTimestamp(nextAt) };
}
