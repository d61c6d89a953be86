// One event of each kind that readers of GET /api/events are told of.

import type {
  DeletionId,
  DeliveryId,
  DestinationId,
  EndpointId,
  EpochMs,
  ReplayJobId,
  SourceId,
  SyncReport,
} from "@postrider/core";
import type { EVENT_KINDS, StreamedEvent } from "../../packages/http/src/api/events/event-json.js";

const source = "website" as SourceId;
const destination = "crm" as DestinationId;
const deletion = "7" as DeletionId;
const at = Date.parse("2026-01-31T12:00:00.000Z") as EpochMs;

const about = {
  at,
  delivery: "42" as DeliveryId,
  destination,
  source,
  type: "track",
  messageId: "m1",
  acceptedAt: (at - 5_000) as EpochMs,
  rounds: 1,
} as const;

const attempt = {
  round: 2,
  endpoint: "https://crm.example.com/hook?key=hidden" as EndpointId,
  startedAt: (at - 40) as EpochMs,
  durationMs: 40,
  result: { kind: "answered", status: 503 },
  verdict: "retry",
} as const;

const SYNCED: SyncReport = { sync: 1, members: 3, entered: 1, departed: 1, changed: 1, endedAt: at };

type Kind = (typeof EVENT_KINDS)[number];

/** The events of a union that have this kind, among others. */
type SampleOf<K extends Kind, E extends StreamedEvent = StreamedEvent> = E extends unknown
  ? K extends E["kind"]
    ? E
    : never
  : never;

function laneEvent<K extends "lane-held" | "lane-blocked" | "lane-open" | "lane-paused" | "lane-resumed">(kind: K) {
  return { kind, at, destination };
}

export const EVENT_SAMPLES: { readonly [K in Kind]: SampleOf<K> } = {
  accepted: { kind: "accepted", at, source, messageId: "m1", deliveries: [about.delivery], filtered: [] },
  duplicate: { kind: "duplicate", at, source, messageId: "m1" },
  suppressed: { kind: "suppressed", at, source, messageId: "m1" },
  outdated: { kind: "outdated", at, source, messageId: "m1" },
  refused: {
    kind: "refused",
    at,
    source,
    messageId: "m1",
    refusal: { code: "no-event", path: "event", expected: "the name" },
  },
  slip: { kind: "slip", at, source, slip: "all-in-another-case" },
  shed: { kind: "shed", at, source, calls: 3 },
  attempted: { kind: "attempted", ...about, attempt, isLate: false },
  delivered: { kind: "delivered", ...about, detail: "200" },
  rescheduled: { kind: "rescheduled", ...about, dueAt: (at + 5_000) as EpochMs, detail: "503" },
  released: { kind: "released", ...about, dueAt: (at + 5_000) as EpochMs },
  died: { kind: "died", ...about, reason: "expired", detail: "503" },
  replayed: { kind: "replayed", ...about, of: "41" as DeliveryId },
  stale: { kind: "stale", ...about },
  "schedule-fault": { kind: "schedule-fault", ...about, schedule: "ours", fault: "threw" },
  "local-fault": { kind: "local-fault", ...about },
  orphaned: { kind: "orphaned", at, destination, deliveries: 3 },
  "outbox-waits": { kind: "outbox-waits", at, source, calls: 3 },
  "lane-held": laneEvent("lane-held"),
  "lane-blocked": laneEvent("lane-blocked"),
  "lane-open": laneEvent("lane-open"),
  "lane-paused": laneEvent("lane-paused"),
  "lane-resumed": laneEvent("lane-resumed"),
  ended: { kind: "ended", at, destination, reason: "expired", deliveries: 3 },
  "pulled-in": { kind: "pulled-in", at, destination, deliveries: 3 },
  "deletion-requested": { kind: "deletion-requested", at, deletion, regulation: "suppress-with-delete", users: 2 },
  purged: { kind: "purged", at, deletion, deliveries: 3 },
  "deletion-finished": { kind: "deletion-finished", at, deletion },
  synced: {
    kind: "synced",
    at,
    audience: "big_spenders",
    report: SYNCED,
  },
  "notification-sent": { kind: "notification-sent", at, hook: 0, notification: "lane-held" },
  "notification-failed": { kind: "notification-failed", at, hook: 1, notification: "store", detail: "503" },
  "replay-job-done": { kind: "replay-job-done", at, job: "j1" as ReplayJobId, replayed: 3, skipped: 0 },
  swept: { kind: "swept", at, deliveries: 3 },
  "store-fault": { kind: "store-fault", at, code: "unavailable", why: "disk I/O error" },
  "store-ended": { kind: "store-ended", at, why: "the thread has ended" },
  "store-stalled": { kind: "store-stalled", at, forMs: 3_000 },
  "store-answers": { kind: "store-answers", at, afterMs: 5_000 },
  configured: { kind: "configured", at },
};
