// Decides the reasons for which an unfinished delivery waits. Several may apply at once: those that an operator has to end come first, then
// those of the lane, then those of the delivery.

import type { DeliveryRecord } from "../delivery/delivery.js";
import { type EndpointId, type EpochMs, epochMs, plusMs } from "../ids.js";
import type { Destination } from "../settings/workspace.js";
import type { DeliveryReason, DeliveryFacts } from "./delivery-reason.js";
import { lastFailure, otherFailures } from "./final-reason.js";
import type { EndpointHold, LaneStatus, PausedBy } from "./lane-status.js";
import { HOUR_MS } from "../time/format-duration.js";
import { readEndpointUrl } from "../settings/endpoint-url.js";

/** At least one reason. */
export function reasonsOfWaiting(facts: DeliveryFacts, now: EpochMs): readonly DeliveryReason[] {
  const { record } = facts;
  const dueAt = record.dueAt ?? now;
  if (record.state === "claimed" && dueAt > now) return [{ kind: "in-flight", leaseUntil: dueAt }];
  const reasons = [...closures(facts), ...laneReasons(facts), ...ownReasons(facts, now), ...rateReasons(facts, now)];
  if (record.state === "claimed") return [{ kind: "lease-ended", leaseUntil: dueAt }, ...reasons];
  return reasons.length > 0 ? reasons : queueReasons(facts.lane);
}

/** The reasons that an operator has to end. */
function closures({ record, destination, lane, settings }: DeliveryFacts): readonly DeliveryReason[] {
  if (destination === undefined) {
    const endsAt = plusMs(record.acceptedAt, settings.retention.deadHours * HOUR_MS);
    return [{ kind: "not-in-settings", endsAt }];
  }
  const by = pausedBy(destination, lane);
  return [
    ...(destination.enabled ? [] : [{ kind: "off" } as const]),
    ...(by.length === 0 ? [] : [{ kind: "paused", by } as const]),
  ];
}

function pausedBy({ paused }: Destination, lane: LaneStatus | undefined): readonly PausedBy[] {
  const isPausedByOperator = lane?.pausedBy.includes("operator") === true;
  return [...(paused ? ["settings" as const] : []), ...(isPausedByOperator ? ["operator" as const] : [])];
}

function laneReasons(facts: DeliveryFacts): readonly DeliveryReason[] {
  const { destination, lane } = facts;
  if (destination === undefined || lane === undefined) return [];
  const { backoff } = lane;
  const { holds, areAll } = holdsOf(facts);
  const until = epochMs(Math.min(...holds.map((hold) => hold.until)));
  return [
    ...(backoff === undefined ? [] : [{ kind: backoff.kind, backoff } as const]),
    ...(areAll ? [{ kind: "endpoint-holds", holds, until } as const] : []),
  ];
}

interface Holds {
  /** The holds of the endpoints that may get it. */
  readonly holds: readonly EndpointHold[];
  readonly areAll: boolean;
}

function holdsOf({ record, destination, lane }: DeliveryFacts): Holds {
  if (destination === undefined || lane === undefined) return { holds: [], areAll: false };
  const leftOut = leftOutOf(record);
  const candidates = endpointsOf(destination).filter((endpoint) => !leftOut.includes(endpoint));
  const holds = lane.endpointHolds.filter(({ endpoint }) => candidates.includes(endpoint));
  return { holds, areAll: candidates.length > 0 && holds.length === candidates.length };
}

/** The endpoints that have refused the delivery for good. */
function leftOutOf({ endpoints }: DeliveryRecord): readonly EndpointId[] {
  return endpoints.filter(({ refused }) => refused).map(({ endpoint }) => endpoint);
}

function endpointsOf({ endpoints }: Destination) {
  return endpoints.flatMap(({ url }) => {
    const endpoint = readEndpointUrl(url);
    return endpoint.kind === "ok" ? [endpoint.id] : [];
  });
}

/** The reasons of the delivery itself. None if its lease has ended: its due time is the end of that lease. */
function ownReasons(facts: DeliveryFacts, now: EpochMs): readonly DeliveryReason[] {
  const { record } = facts;
  const { dueAt = now } = record;
  if (dueAt <= now) return [];
  const attempt = lastFailure(record);
  if (attempt === undefined) return [{ kind: "not-due", dueAt }];
  const { holds, areAll } = holdsOf(facts);
  const latestOfOthers = otherFailures(record);
  return [
    { kind: "backoff", attempt, others: latestOfOthers, leftOut: leftOutOf(record), holds: areAll ? [] : holds, dueAt },
  ];
}

/** The rate limit, if the delivery would wait for it once it is due. */
function rateReasons({ record, lane }: DeliveryFacts, now: EpochMs): readonly DeliveryReason[] {
  const nextAt = lane?.rate?.nextAt;
  return nextAt === undefined || nextAt <= Math.max(now, record.dueAt ?? now) ? [] : [{ kind: "rate-limit", nextAt }];
}

/** The reasons of a delivery that could be sent now. */
function queueReasons(lane: LaneStatus | undefined): readonly DeliveryReason[] {
  if (lane !== undefined && lane.inFlight >= lane.limit)
    return [{ kind: "lane-busy", deliveries: lane.deliveries, limit: lane.limit }];
  return [{ kind: "due" }];
}
