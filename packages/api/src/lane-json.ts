// The shape of a lane in an answer, and of what belongs to it: as types, and as schemas for the document of the API.

import { LANE_MODES, type LaneBackoff, type LaneMode, type PausedBy } from "@postrider/core";
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

/** Why only probes are sent. */
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
export interface FailureJson {
  readonly detail: string;
  readonly at: string;
  readonly isRefusal: boolean;
}

const FAILURE = component<FailureJson>("LaneFailure", {
  detail: textSchema(),
  at: instantSchema(),
  isRefusal: flagSchema(),
});

/** An endpoint that asked for a pause. */
export interface HoldJson {
  readonly endpoint: string;
  readonly until: string;
}

export const HOLD: SchemaOf<HoldJson> = component<HoldJson>("EndpointHold", {
  endpoint: textSchema(),
  until: instantSchema(),
});

/** A rate limit, and what is left of it. */
export interface RateJson {
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
