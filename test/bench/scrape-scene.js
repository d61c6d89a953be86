// A registry and lanes as of a server that has been up for a while: each destination has had every outcome, so that every metric
// of destinations has its points.

import { DEAD_REASONS } from "@postrider/core";
import { createRegistry } from "@postrider/relay/metrics";

const AT = Date.UTC(2026, 0, 31, 12);
const OUTCOMES_OF_CALLS = ["duplicate", "suppressed", "refused"];

/** `results` are how attempts end: statuses, and faults. Answers `{ registry, lanes, at }`. */
export function scrapeScene(destinations, results) {
  const registry = createRegistry();
  const ids = Array.from({ length: destinations }, (_, index) => `destination-${index}`);
  for (const event of [...eventsOfServer(), ...ids.flatMap((id, index) => eventsOf(id, index, results))]) {
    registry.observe({ at: AT, ...event });
  }
  return { registry, lanes: ids.map(laneOf), at: AT };
}

function eventsOfServer() {
  const source = "website";
  return [
    { kind: "accepted", source, messageId: "m", deliveries: ["d"], filtered: [] },
    ...OUTCOMES_OF_CALLS.map((kind) => ({ kind, source, messageId: "m" })),
    { kind: "shed", source, calls: 1 },
    { kind: "committed", calls: 20, settlements: 20, ms: 1.5 },
    { kind: "answered", route: "/v1/batch", status: 200, ms: 2 },
    { kind: "store-fault", code: "busy" },
  ];
}

function eventsOf(destination, index, results) {
  const about = { delivery: "d", destination, source: "website", type: "track", messageId: "m", rounds: 0 };
  const facts = { ...about, acceptedAt: AT - 17 * (index + 1) };
  const attempts = results.map((result) => ({
    ...{ kind: "attempted", ...facts, isLate: false },
    attempt: { round: 1, endpoint: "https://crm.example/", startedAt: AT, durationMs: 12.345 + index, result },
  }));
  return [
    ...attempts,
    { kind: "delivered", ...facts, detail: "200" },
    ...DEAD_REASONS.map((reason) => ({ kind: "died", ...facts, reason, detail: null })),
    { kind: "rescheduled", ...facts, dueAt: AT, detail: "503" },
    { kind: "stale", ...facts },
    { kind: "local-fault", ...facts },
    { kind: "lane-held", destination },
    { kind: "claimed", destination, deliveries: 1, overdueMs: index },
  ];
}

function laneOf(lane, index) {
  return {
    ...{ lane, mode: "held", pausedBy: [], deliveries: 1_000 + index, bytes: 600_000 + index, inFlight: 3, limit: 32 },
    backoff: { kind: "held", probes: 1, nextProbeAt: AT },
    ...{ nextDueAt: AT - 1_234 - index, windowEndsAt: AT + 3_600_123, endpointHolds: [] },
  };
}
