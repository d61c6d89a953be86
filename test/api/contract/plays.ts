// One request for each operation that succeeds, and what causes its refusals, over a real relay in memory. What needs a store that
// fails or lacks a part is asked of a relay whose methods answer with that fault; other tests cause it for real.

import { createRecentCalls, createRecentEvents, type ReloadOutcome, type SettingsDesk } from "@postrider/http/api";
import type { IncomingRequest, RequestBody } from "@postrider/http";
import { epochMs } from "@postrider/core";
import { createManualClock } from "@postrider/memory";
import type { Relay } from "@postrider/relay";
import { errAsync } from "neverthrow";
import { createRegistry, createSeries } from "@postrider/relay/metrics";
import { request } from "../../http/request.js";
import { MAX_EXPORTS } from "../../../packages/http/src/api/export-user.js";
import { createDesk, failing, INVALID } from "./desk.js";
import { BEARER, createRig, type Rig, type Told } from "../rig.js";

const PROBE_DRAFT = "/api/settings/probe";
const TEST_DRAFT = "/api/settings/test";
const DRAFT = { settings: {}, destination: "crm" };
const BUSY = { kind: "failed", fault: { code: "too-many-tests" } } as const;
const CONFIGURED: ReloadOutcome = { kind: "configured", sources: 1, destinations: 1, needsRestart: [] };

/** A server that has all parts, with a dead delivery, an audience, a deletion request and a replay job. */
export interface Stage {
  readonly rig: Rig;
  readonly delivery: string;
  readonly deletion: string;
  readonly job: string;
}

export async function createStage(reload: ReloadOutcome = CONFIGURED): Promise<Stage> {
  const calls = createRecentCalls({ wall: () => 0 as never });
  const events = createRecentEvents(createManualClock());
  const api = { calls, events, series: seriesOfOneInterval(), reload: () => Promise.resolve(reload), program: "1.2.3" };
  const desk = createDesk();
  const rig = createRig({ api: { ...api, desk }, script: () => ({ kind: "answers", status: 422 }) });
  calls.noteUnknownKey();
  const delivery = await rig.track();
  await rig.clock.advance(1_000);
  await rig.post("/api/audiences", { name: "Big Spenders", destinations: ["crm"] });
  const { body } = await rig.post("/api/deletions", { userIds: ["u9"], regulation: "suppress-only" });
  const started = await rig.post("/api/replay-jobs", {});
  await rig.clock.settle();
  const [deletion, job] = [body, started.body].map((told) => (told as { readonly id: string }).id);
  if (deletion === undefined || job === undefined) throw new Error("a request or a job has no id");
  return { rig, delivery, deletion, job };
}

function seriesOfOneInterval() {
  const [registry, series, clock] = [createRegistry(), createSeries(), createManualClock()];
  const at = clock.wall();
  for (const now of [at, epochMs(at + 10_000)]) series.take(registry.snapshot([], now), now);
  return series;
}

type Ask = (
  stage: Stage,
) => readonly [method: "GET" | "POST" | "PUT", target: string, body?: unknown, headers?: object];

/** A request for each operation, which succeeds on a stage. */
export const ASKS: Readonly<Record<string, Ask>> = {
  showHealth: () => ["GET", "/healthz"],
  showVersion: () => ["GET", "/api/version"],
  showOpenapi: () => ["GET", "/api/openapi.json"],
  showStats: () => ["GET", "/api/stats"],
  listSources: () => ["GET", "/api/sources"],
  listSeen: () => ["GET", "/api/seen?messageId=m1"],
  listDeliveries: () => ["GET", "/api/deliveries?state=dead,waiting"],
  countDeliveries: () => ["GET", "/api/deliveries/count?status=4xx"],
  showDelivery: ({ delivery }) => ["GET", `/api/deliveries/${delivery}`],
  showRequests: ({ delivery }) => ["GET", `/api/deliveries/${delivery}/requests`],
  explainDelivery: ({ delivery }) => ["GET", `/api/deliveries/${delivery}/why`],
  replayDelivery: ({ delivery }) => ["POST", `/api/deliveries/${delivery}/replay`],
  listCalls: () => ["GET", "/api/calls"],
  streamEvents: () => ["GET", "/api/events?kind=died,ended"],
  showSeries: () => ["GET", "/api/series?step=300&since=2026-01-01T00:00:00Z"],
  listLanes: () => ["GET", "/api/lanes"],
  pauseLane: () => ["POST", "/api/lanes/crm/pause"],
  resumeLane: () => ["POST", "/api/lanes/crm/resume"],
  probeLane: () => ["POST", "/api/lanes/crm/probe"],
  forgetLane: () => ["POST", "/api/lanes/old/forget"],
  testDestination: () => ["POST", "/api/destinations/crm/test"],
  replayDeliveries: () => ["POST", "/api/replay", { destination: "crm", until: null }],
  startReplay: () => ["POST", "/api/replay-jobs", { status: "4xx" }],
  previewReplay: () => ["POST", "/api/replay-jobs/preview", { state: ["dead", "delivered"] }],
  listReplayJobs: () => ["GET", "/api/replay-jobs"],
  showReplayJob: ({ job }) => ["GET", `/api/replay-jobs/${job}`],
  cancelReplay: ({ job }) => ["POST", `/api/replay-jobs/${job}/cancel`],
  reload: () => ["POST", "/api/reload"],
  showSettings: () => ["GET", "/api/settings?revision=7"],
  putSettings: () => ["PUT", "/api/settings?actor=ann", { sources: [] }, { "if-match": '"7"' }],
  showSettingsHistory: () => ["GET", "/api/settings/history"],
  checkSettings: () => ["POST", "/api/settings/check", { destinations: [] }],
  probeSettings: () => ["POST", "/api/settings/probe", { settings: { destinations: [] }, destination: "crm" }],
  testSettings: () => ["POST", "/api/settings/test", { settings: { destinations: [] }, destination: "crm" }],
  requestDeletion: () => ["POST", "/api/deletions", { userIds: ["u1"], regulation: "delete-only" }],
  listDeletions: () => ["GET", "/api/deletions?limit=5"],
  showDeletion: ({ deletion }) => ["GET", `/api/deletions/${deletion}`],
  listSuppressed: () => ["GET", "/api/suppressed"],
  exportUser: () => ["GET", "/api/users/u1/export"],
  createAudience: () => ["POST", "/api/audiences", { name: "New", destinations: ["crm"], kind: "trait" }],
  listAudiences: () => ["GET", "/api/audiences"],
  showAudience: () => ["GET", "/api/audiences/big_spenders"],
  setAudienceDestinations: () => ["POST", "/api/audiences/big_spenders/destinations", { destinations: [] }],
  syncAudience: () => ["POST", "/api/audiences/big_spenders/sync"],
};

export function requestOf(ask: Ask, stage: Stage): IncomingRequest {
  const [method, target, body, headers = {}] = ask(stage);
  const [path = "", query = ""] = target.split("?", 2);
  return request(method, path, { query, body, headers: { ...BEARER, ...headers } });
}

/** The requests whose success needs more than one request. */
export const SCENES: Readonly<Record<string, () => Promise<Told>>> = {
  probeLane: async () => {
    const rig = createRig({ script: () => ({ kind: "answers", status: 503 }) });
    for (let call = 0; call < 60; call += 1) await rig.track({ messageId: `m${String(call)}` });
    await rig.clock.advance(60_000);
    return rig.post("/api/lanes/crm/probe");
  },
  syncAudience: async () => (await createStage()).rig.upload("big_spenders", '"u1"\n"u2"\n'),
};

/** The bodies that no listener could read. */
export const UNREAD: readonly RequestBody[] = [{ kind: "too-large" }, { kind: "no-room" }, { kind: "unread-encoding" }];

/** Each refusal that belongs to few operations. */
export const REFUSALS_OF: readonly (readonly [operation: string, code: string, play: () => Promise<Told>])[] = [
  ["showDelivery", "not-found", () => asked("GET", "/api/deliveries/999")],
  ["showRequests", "not-found", () => asked("GET", "/api/deliveries/999/requests")],
  ["showRequests", "purged", () => requestsOf((rig) => purge(rig))],
  ["showRequests", "destination-removed", () => requestsOf((rig) => removeDestinations(rig))],
  ["explainDelivery", "not-found", () => asked("GET", "/api/deliveries/999/why")],
  ["replayDelivery", "not-found", () => asked("POST", "/api/deliveries/999/replay")],
  ["replayDelivery", "not-finished", () => replayOf({ script: () => ({ kind: "answers", status: 503 }) })],
  ["replayDelivery", "purged", () => replayOf({}, (rig) => purge(rig))],
  ["replayDelivery", "destination-removed", () => replayOf({}, (rig) => removeDestinations(rig))],
  ["replayDeliveries", "destination-removed", () => asked("POST", "/api/replay", { destination: "other" })],
  ["startReplay", "destination-removed", () => asked("POST", "/api/replay-jobs", { destination: "other" })],
  ["startReplay", "too-many-jobs", () => withFault({ code: "too-many-jobs" }).post("/api/replay-jobs", {})],
  ["previewReplay", "destination-removed", () => asked("POST", "/api/replay-jobs/preview", { destination: "other" })],
  ["showReplayJob", "not-found", () => asked("GET", "/api/replay-jobs/other")],
  ["cancelReplay", "not-found", () => asked("POST", "/api/replay-jobs/other/cancel")],
  ["listCalls", "not-found", () => createRig().get("/api/calls")],
  ["streamEvents", "not-found", () => createRig().get("/api/events")],
  ["streamEvents", "overloaded", () => readByTooMany()],
  ["showSeries", "not-found", () => createRig().get("/api/series")],
  ["pauseLane", "not-found", () => asked("POST", "/api/lanes/other/pause")],
  ["resumeLane", "not-found", () => asked("POST", "/api/lanes/other/resume")],
  ["probeLane", "not-found", () => asked("POST", "/api/lanes/other/probe")],
  ["probeLane", "not-probed", () => asked("POST", "/api/lanes/crm/probe")],
  ["forgetLane", "destination-in-force", () => asked("POST", "/api/lanes/crm/forget")],
  ["testDestination", "not-found", () => asked("POST", "/api/destinations/other/test")],
  ["testDestination", "overloaded", () => withFault({ code: "too-many-tests" }).post("/api/destinations/crm/test")],
  ["reload", "bad-config", () => reloaded({ kind: "refused", problems: [{ code: "c", path: "p", expected: "e" }] })],
  ["reload", "store-unavailable", () => reloaded({ kind: "stopped" })],
  ["reload", "not-found", () => createRig().post("/api/reload")],
  ["showSettings", "not-found", () => asked("GET", "/api/settings?revision=8")],
  ["showSettings", "store-unavailable", () => withDesk({ show: failing }).get("/api/settings")],
  ["showSettingsHistory", "not-found", () => createRig().get("/api/settings/history")],
  ["showSettingsHistory", "store-unavailable", () => withDesk({ history: failing }).get("/api/settings/history")],
  ["putSettings", "not-found", () => putTo(createRig(), "7")],
  ["putSettings", "settings-in-file", () => putTo(withDesk({ owner: "file" }), "7")],
  ["putSettings", "revision-required", () => putTo(withDesk({}))],
  ["putSettings", "stale-revision", () => putTo(withDesk({}), "6")],
  ["putSettings", "bad-settings", () => putTo(withDesk({ put: () => Promise.resolve(INVALID) }), "7")],
  ["putSettings", "store-unavailable", () => putTo(withDesk({ put: failing }), "7")],
  ["checkSettings", "not-found", () => createRig().post("/api/settings/check", {})],
  [
    "checkSettings",
    "bad-settings",
    () => withDesk({ check: () => Promise.resolve(INVALID) }).post("/api/settings/check", {}),
  ],
  ["probeSettings", "not-found", () => createRig().post("/api/settings/probe", DRAFT)],
  ["probeSettings", "bad-settings", () => withDesk({ probe: () => Promise.resolve(INVALID) }).post(PROBE_DRAFT, DRAFT)],
  ["probeSettings", "overloaded", () => withDesk({ probe: () => Promise.resolve(BUSY) }).post(PROBE_DRAFT, DRAFT)],
  ["probeSettings", "store-unavailable", () => withDesk({ probe: failing }).post(PROBE_DRAFT, DRAFT)],
  ["testSettings", "not-found", () => createRig().post("/api/settings/test", DRAFT)],
  ["testSettings", "bad-settings", () => withDesk({ test: () => Promise.resolve(INVALID) }).post(TEST_DRAFT, DRAFT)],
  ["testSettings", "overloaded", () => withDesk({ test: () => Promise.resolve(BUSY) }).post(TEST_DRAFT, DRAFT)],
  ["testSettings", "store-unavailable", () => withDesk({ test: failing }).post(TEST_DRAFT, DRAFT)],
  ["exportUser", "overloaded", () => exportedByTooMany()],
  ["showDeletion", "not-found", () => asked("GET", "/api/deletions/999")],
  ["createAudience", "key-taken", () => asked("POST", "/api/audiences", { name: "Big Spenders", destinations: [] })],
  ["showAudience", "not-found", () => asked("GET", "/api/audiences/other")],
  [
    "setAudienceDestinations",
    "not-found",
    () => asked("POST", "/api/audiences/other/destinations", { destinations: [] }),
  ],
  ["syncAudience", "not-found", () => asked("POST", "/api/audiences/other/sync", "u1")],
  ["syncAudience", "bad-members", () => asked("POST", "/api/audiences/big_spenders/sync")],
  ["syncAudience", "sync-running", () => withFault({ code: "sync-running" }).upload("big_spenders", '"u1"')],
  [
    "syncAudience",
    "would-remove",
    () => withFault({ code: "would-remove", members: 1, entered: 0, departed: 30 }).upload("big_spenders", '"u1"'),
  ],
];

async function asked(method: "GET" | "POST", target: string, body?: unknown): Promise<Told> {
  const { rig } = await createStage();
  return method === "GET" ? rig.get(target) : rig.post(target, body);
}

function withDesk(changes: Partial<SettingsDesk>): Rig {
  return createRig({ api: { desk: { ...createDesk(), ...changes } } });
}

function putTo(rig: Rig, match?: string): Promise<Told> {
  const headers = { ...BEARER, ...(match === undefined ? {} : { "if-match": match }) };
  return rig.send(request("PUT", "/api/settings", { body: { sources: [] }, headers }));
}

async function readByTooMany(): Promise<Told> {
  const events = createRecentEvents(createManualClock());
  while (!events.isFull()) events.join();
  return createRig({ api: { events } }).get("/api/events");
}

/** Four exports whose callers read one line each. */
async function exportedByTooMany(): Promise<Told> {
  const { rig } = await createStage();
  for (let others = 0; others < MAX_EXPORTS; others += 1) {
    const stream = await rig.stream("/api/users/u1/export");
    await stream[Symbol.asyncIterator]().next();
  }
  return rig.get("/api/users/u1/export");
}

async function reloaded(outcome: ReloadOutcome): Promise<Told> {
  return (await createStage(outcome)).rig.post("/api/reload");
}

type Change = (rig: Rig) => Promise<void> | void;

async function replayOf(options: Parameters<typeof createRig>[0], change: Change = () => undefined): Promise<Told> {
  const { rig, path } = await deadDelivery(options, change);
  return rig.post(`${path}/replay`);
}

async function requestsOf(change: Change): Promise<Told> {
  const { rig, path } = await deadDelivery({}, change);
  return rig.get(`${path}/requests`);
}

async function deadDelivery(options: Parameters<typeof createRig>[0], change: Change) {
  const rig = createRig({ script: () => ({ kind: "answers", status: 422 }), ...options });
  const path = `/api/deliveries/${await rig.track()}`;
  await change(rig);
  return { rig, path };
}

async function purge(rig: Rig): Promise<void> {
  await rig.post("/api/deletions", { userIds: ["u1"], regulation: "suppress-only" });
  await rig.clock.advance(60_000);
}

function removeDestinations({ relay }: Rig): void {
  relay.configure({ ...relay.workspace(), destinations: [] })._unsafeUnwrap();
}

/** A server whose relay answers each question with this fault. */
export function withFault(fault: { readonly code: string; readonly [detail: string]: unknown }): Rig {
  return createRig({ api: { relay: faulty(fault) } });
}

const WITHOUT_FAULTS: readonly string[] = ["workspace", "lanes", "health"];

function faulty(fault: object): Relay {
  const { relay } = createRig();
  const answers = Object.entries(relay).map(([name, method]) => [
    name,
    WITHOUT_FAULTS.includes(name) ? (method as unknown) : () => errAsync(fault),
  ]);
  return Object.fromEntries(answers) as Relay;
}
