// The JSON of a lane: its mode and what it waits for. Endpoints are shown without the values of their queries.

import type { EndpointHold, EpochMs, LaneBackoff, LaneFailure, LaneRate, LaneStatus } from "@postrider/core";
import { formatTimestamp, maskEndpoint } from "@postrider/core/engine";
import type { BackoffJson, FailureJson, HoldJson, LaneJson, RateJson } from "./lane-json.js";

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

/** Why only probes are sent. */
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
