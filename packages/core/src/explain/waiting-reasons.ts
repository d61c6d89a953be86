// Decides for what a delivery waits that has not ended. Several reasons may apply at once: those that an operator has to end
// come first, then those of the lane, then those of the delivery.

import { type EpochMs, epochMs, plusMs } from "../ids.js";
import type { Destination } from "../settings/workspace.js";
import type { DeliveryReason } from "./delivery-reason.js";
import type { DeliveryFacts } from "./delivery-facts.js";
import { lastFailure } from "./final-reason.js";
import type { LaneStatus, PausedBy } from "./lane-status.js";
import { readEndpointUrl } from "../settings/endpoint-url.js";

const HOUR_MS = 3_600_000;

/** At least one reason. */
export function reasonsOfWaiting(known: DeliveryFacts, now: EpochMs): readonly DeliveryReason[] {
  const { record } = known;
  const dueAt = record.dueAt ?? now;
  if (record.state === "claimed" && dueAt > now) return [{ kind: "in-flight", leaseUntil: dueAt }];
  const found = [...closures(known), ...laneReasons(known), ...ownReasons(known, now)];
  if (record.state === "claimed") return [{ kind: "lease-ended", leaseUntil: dueAt }, ...found];
  return found.length > 0 ? found : queueReasons(known.lane, now);
}

/** What an operator has to end. */
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

function laneReasons({ record, destination, lane }: DeliveryFacts): readonly DeliveryReason[] {
  if (destination === undefined || lane === undefined) return [];
  const { backoff, endpointHolds } = lane;
  const refused = new Set(record.endpoints.filter((one) => one.refused).map((one) => one.endpoint));
  const open = endpointsOf(destination).filter((endpoint) => !refused.has(endpoint));
  const holds = endpointHolds.filter(({ endpoint }) => open.includes(endpoint));
  const areAllHeld = open.length > 0 && holds.length === open.length;
  const until = epochMs(Math.min(...holds.map((hold) => hold.until)));
  return [
    ...(backoff === undefined ? [] : [{ kind: backoff.kind, backoff } as const]),
    ...(areAllHeld ? [{ kind: "endpoint-holds", holds, until } as const] : []),
  ];
}

function endpointsOf({ endpoints }: Destination) {
  return endpoints.flatMap(({ url }) => {
    const read = readEndpointUrl(url);
    return read.kind === "ok" ? [read.id] : [];
  });
}

/** None for one whose lease has ended, since its due time is the end of the lease. */
function ownReasons({ record }: DeliveryFacts, now: EpochMs): readonly DeliveryReason[] {
  const { dueAt = now } = record;
  if (dueAt <= now) return [];
  const attempt = lastFailure(record);
  return [attempt === undefined ? { kind: "not-due", dueAt } : { kind: "backoff", attempt, dueAt }];
}

/** It could be sent now. */
function queueReasons(lane: LaneStatus | undefined, now: EpochMs): readonly DeliveryReason[] {
  if (lane?.rate !== undefined && lane.rate.nextAt > now) return [{ kind: "rate-limit", nextAt: lane.rate.nextAt }];
  if (lane !== undefined && lane.inFlight >= lane.limit)
    return [{ kind: "lane-busy", deliveries: lane.deliveries, limit: lane.limit }];
  return [{ kind: "due" }];
}
