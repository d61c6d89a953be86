// Every metric that a server has, each with a point: what its registry counts, and what the program adds.

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AttemptRecord,
  DEAD_REASONS,
  deliveryId,
  destinationId,
  endpointId,
  epochMs,
  type LaneStatus,
  sourceId,
} from "@postrider/core";
import { createManualClock } from "@postrider/memory";
import type { RelayEvent } from "@postrider/relay";
import { createRegistry, type MetricFamily, type MetricsSnapshot } from "@postrider/relay/metrics";
import { okAsync } from "neverthrow";
import {
  createCallerFamilies,
  createDeletionFamilies,
  createBuildFamilies,
  createProcessFamilies,
  createProgramFamilies,
  createSettingsFamilies,
  createStoreFileFamilies,
} from "../../../packages/postrider/src/metrics/program-families.js";
import { createLoopDelay } from "../../../packages/postrider/src/metrics/loop-delay.js";

const NOW = epochMs(1_800_000_000_000);
const ABOUT = { destination: destinationId("crm"), source: sourceId("site"), messageId: "m1", at: NOW } as const;
const DELIVERY = {
  ...ABOUT,
  delivery: deliveryId("d1"),
  type: "track",
  acceptedAt: epochMs(NOW - 5),
  rounds: 0,
} as const;
const ATTEMPT = { round: 1, endpoint: endpointId("https://crm.example/"), startedAt: NOW, durationMs: 1 } as const;
const ATTEMPTS: readonly AttemptRecord[] = [
  { ...ATTEMPT, result: { kind: "answered", status: 200 }, verdict: "success" },
  { ...ATTEMPT, result: { kind: "silent", fault: "timeout" }, verdict: "retry" },
];
const REPORT = { sync: 1, members: 9, entered: 1, departed: 2, changed: 3, endedAt: NOW };
const LANE: LaneStatus = {
  ...{ lane: ABOUT.destination, mode: "held", deliveries: 1, bytes: 1, inFlight: 0, limit: 1, deaths: 0 },
  ...{ endpointHolds: [], pausedBy: [], nextDueAt: epochMs(NOW - 1), windowEndsAt: epochMs(NOW + 1) },
};

const WARNING = { code: "unread-date", path: "timestamp" } as const;

const TOLD: readonly RelayEvent[] = [
  { ...ABOUT, kind: "accepted", deliveries: [DELIVERY.delivery], filtered: [], warnings: [WARNING] },
  { ...ABOUT, kind: "shed", calls: 1 },
  { ...ABOUT, kind: "lane-held" },
  { ...ABOUT, kind: "claimed", deliveries: 1, overdueMs: 1 },
  { at: NOW, kind: "store-fault", code: "full" },
  { at: NOW, kind: "answered", route: "/v1/batch", status: 200, ms: 1 },
  { at: NOW, kind: "committed", calls: 1, settlements: 1, ms: 1 },
  { at: NOW, kind: "notification-sent", hook: 0, notification: "lane-held" },
  { at: NOW, kind: "synced", audience: "vip", report: REPORT },
  { ...DELIVERY, kind: "delivered", detail: "200" },
  { ...DELIVERY, kind: "rescheduled", detail: "503", dueAt: NOW },
  { ...DELIVERY, kind: "replayed", of: deliveryId("d0") },
  { ...DELIVERY, kind: "stale" },
  { ...DELIVERY, kind: "local-fault" },
  ...ATTEMPTS.map((attempt) => ({ ...DELIVERY, kind: "attempted", isLate: false, attempt }) as const),
  ...DEAD_REASONS.map((reason) => ({ ...DELIVERY, kind: "died", reason, detail: "503" }) as const),
];

/** In the order in which a server shows them. */
export async function allFamilies(): Promise<MetricsSnapshot> {
  const registry = createRegistry();
  for (const event of TOLD) registry.observe(event);
  return { families: [...registry.snapshot([LANE], NOW).families, ...(await programFamilies())] };
}

async function programFamilies(): Promise<readonly MetricFamily[]> {
  const clock = createManualClock({ wall: NOW });
  const loopDelay = createLoopDelay(clock);
  await clock.advance(20);
  loopDelay.stop();
  const path = join(mkdtempSync(join(tmpdir(), "postrider-families-")), "a.db");
  for (const name of [path, `${path}-wal`]) writeFileSync(name, "1");
  const deletionRequests = () => okAsync({ deletions: [], more: false });
  const held = () => ({ connections: 1, requests: 0, reading: 0, bytes: 0, keylessBytes: 0 });
  const parts = [
    createDeletionFamilies({ deletionRequests }, clock),
    createStoreFileFamilies(path),
    createCallerFamilies(held),
    createSettingsFamilies({ inForce: () => 1 }),
    createProcessFamilies(clock),
    loopDelay.families,
    createBuildFamilies("1.2.3"),
  ];
  return createProgramFamilies(parts, clock)();
}
