// Builders for the tests of explanations: records of deliveries, their attempts, and the state of a lane.

import type { AttemptRecord, DeliveryId, DeliveryRecord, LaneStatus } from "@postrider/core";
import { at, endpointId, laneId, NOW, sourceId } from "../builders.js";

export const HOOK = endpointId("https://example.com/hook");
export const MINUTE = 60_000;

export function record(changes: Partial<DeliveryRecord> = {}): DeliveryRecord {
  return {
    id: "d1" as DeliveryId,
    state: "waiting",
    source: sourceId("website"),
    destination: laneId("crm"),
    type: "track",
    messageId: "m1",
    acceptedAt: at(NOW - 10 * MINUTE),
    dueAt: NOW,
    attemptCount: changes.attempts?.length ?? 0,
    attempts: [],
    endpoints: [],
    ...changes,
  };
}

/** A dead delivery, which has no due time. */
export function deadRecord(changes: Partial<DeliveryRecord> = {}): DeliveryRecord {
  return withoutDueTime(record({ state: "dead", ...changes }));
}

export function withoutDueTime(record: DeliveryRecord): DeliveryRecord {
  const rest: Partial<DeliveryRecord> & Omit<DeliveryRecord, "dueAt"> = { ...record };
  delete (rest as { dueAt?: unknown }).dueAt;
  return rest;
}

export function failed(status = 503, changes: Partial<AttemptRecord> = {}): AttemptRecord {
  return {
    round: 1,
    endpoint: HOOK,
    startedAt: at(NOW - 5 * MINUTE),
    durationMs: 20,
    result: { kind: "answered", status },
    verdict: "retry",
    ...changes,
  };
}

export function lane(changes: Partial<LaneStatus> = {}): LaneStatus {
  return {
    lane: laneId("crm"),
    mode: "open",
    pausedBy: [],
    deliveries: 3,
    bytes: 300,
    inFlight: 0,
    limit: 32,
    deaths: 0,
    endpointHolds: [],
    ...changes,
  };
}
