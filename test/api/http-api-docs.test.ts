// Sends the examples of docs/http-api.md, and compares the answers with those that it shows; finds routes and codes that the
// page leaves out.

import { readFileSync } from "node:fs";
import { createRecentCalls } from "@postrider/http/api";
import { createSecret, type DestinationId, type EpochMs, REFUSAL_CODES, type SourceId } from "@postrider/core";
import { createNodeListener } from "@postrider/http/ingest";
import { describe, expect, it } from "vitest";
import { REFUSALS } from "../../packages/http/src/api/contract/refusals.js";
import { ROUTES } from "../../packages/http/src/api/routes.js";
import { post as callPost } from "../ingest/requests.js";
import { TOKEN } from "../canary.js";
import { request, textOf } from "../http/request.js";
import { createCheckedApi } from "./contract/checked-api.js";
import { OPERATIONS, validate } from "./contract/contract.js";
import { BEARER, createRig } from "./rig.js";

const TEXT = readFileSync(new URL("../../docs/http-api.md", import.meta.url), "utf8");
const EXAMPLES = [...TEXT.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = ""]) => JSON.parse(json));
const [
  error,
  call,
  called,
  batch,
  batched,
  healthy,
  versions,
  stats,
  sources,
  seen,
  calls,
  series,
  reloaded,
  settings,
  settingsPut,
  settingsProbed,
  settingsHistory,
  counted,
  list,
  more,
  requests,
  why,
  lanes,
  forgotten,
  test,
  tested,
  replay,
  replayed,
  jobFilter,
  job,
  preview,
  ...people
] = EXAMPLES;
const [deletion, deleted, deletions, suppressed, audience, audienceMade, synced] = people;

/** The examples of answers, by operation and status. */
const SHOWN: readonly (readonly [operation: string, status: number, example: unknown])[] = [
  ["showHealth", 200, healthy],
  ["showVersion", 200, versions],
  ["showStats", 200, stats],
  ["listSources", 200, sources],
  ["listSeen", 200, seen],
  ["listCalls", 200, calls],
  ["showSeries", 200, series],
  ["reload", 200, reloaded],
  ["showSettings", 200, settings],
  ["putSettings", 200, settingsPut],
  ["probeSettings", 200, settingsProbed],
  ["showSettingsHistory", 200, settingsHistory],
  ["countDeliveries", 200, counted],
  ["listDeliveries", 200, list],
  ["showDelivery", 200, { ...list.deliveries[0], ...more }],
  ["showRequests", 200, requests],
  ["explainDelivery", 200, why],
  ["listLanes", 200, lanes],
  ["forgetLane", 200, forgotten],
  ["testDestination", 200, tested],
  ["replayDeliveries", 202, replayed],
  ["startReplay", 202, job],
  ["previewReplay", 200, preview],
  ["requestDeletion", 202, deleted],
  ["listDeletions", 200, deletions],
  ["listSuppressed", 200, suppressed],
  ["showAudience", 200, audienceMade],
  ["syncAudience", 202, synced],
];

/** The examples of bodies, by operation. */
const SENT: readonly (readonly [operation: string, example: unknown])[] = [
  ["testDestination", test],
  ["replayDeliveries", replay],
  ["startReplay", jobFilter],
  ["requestDeletion", deletion],
  ["createAudience", audience],
];

/** The shape of a value: its keys, at all levels. */
function keysOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(keysOf);
  if (typeof value !== "object" || value === null) return "value";
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, keysOf(inner)]));
}

describe("docs/http-api.md", () => {
  it("has no example but those of `SHOWN` and `SENT`, and those that a test below compares in parts", () => {
    const inParts = [error, call, called, batch, batched, list, more];
    const compared = new Set([...inParts, ...SHOWN.map(([, , example]) => example), ...SENT.map(([, sent]) => sent)]);
    expect(EXAMPLES.filter((example) => !compared.has(example))).toEqual([]);
  });

  it("has a row for each route of the API, and no other", () => {
    const rows = [...TEXT.matchAll(/^\| `((?:GET|POST|PUT) \/api\/\S+)` +\| (\d{3}), (.*?) +\|$/gm)];
    const routes = ROUTES.map(({ method, template, operation: { answer } }) => {
      const path = template.replace(/\{(\w+)\}/, (_, name: string) => name.toUpperCase());
      return [`${method} ${path}`, String(answer.status), answer.description];
    });
    expect(rows.map(([, ...cells]) => cells)).toEqual(routes);
  });

  it("has a row for each code of the API, with the status and the words of the OpenAPI document", () => {
    const [, ofApi = ""] = TEXT.split("\n## The API\n");
    const rows = [...ofApi.matchAll(/^\| (\d{3}) +\| `(\S+)` +\| (.*?) +\|$/gm)];
    const refusals = Object.entries(REFUSALS).map(([code, { status, when }]) => [String(status), code, when]);
    expect(rows.map(([, ...cells]) => cells).sort()).toEqual(refusals.sort());
  });

  it.each(SHOWN)("shows an answer to $0 that the OpenAPI document allows", (id, status, example) => {
    const response = OPERATIONS.get(id)?.responses[status];
    expect(validate(response!.content["application/json"]!.schema, example, id)).toEqual([]);
  });

  it.each(SENT)("shows a body of $0 that the OpenAPI document allows", (id, example) => {
    const { content } = OPERATIONS.get(id)!.requestBody!;
    expect(validate(content["application/json"]!.schema, example, id)).toEqual([]);
  });

  it("shows an error that the OpenAPI document allows", () => {
    expect(validate({ $ref: "#/components/schemas/Error" }, error, "an error")).toEqual([]);
  });

  it("shows the answers to a call, a batch and an invalid call", async () => {
    const rig = createRig();
    const ask = async (path: string, body: unknown): Promise<unknown> =>
      JSON.parse(textOf(await rig.ingest(callPost(path, body))));
    expect(await ask("/v1/track", call)).toEqual(called);
    expect(await ask("/v1/batch", batch)).toEqual(batched);
    expect(await ask("/v1/track", { ...call, properties: 1 })).toEqual(error);
  });

  it("shows the keys of every answer of the API", async () => {
    const rig = createRig({ script: () => ({ kind: "answers", status: 404, excerpt: Buffer.from("no") }) });
    const id = await rig.track({ properties: {}, messageId: "m1" });
    expect((await rig.get("/healthz")).body).toEqual(healthy);
    const { callers, ...counters } = stats;
    expect(keysOf((await rig.get("/api/stats")).body)).toEqual({ ...(keysOf(counters) as object), callers: "value" });
    const listener = createNodeListener(rig.ingest);
    expect(Object.keys({ connections: 0, ...listener.held() })).toEqual(Object.keys(callers));
    expect(keysOf((await rig.get("/api/sources")).body)).toEqual(keysOf(sources));
    expect(keysOf((await rig.get("/api/seen?messageId=m1")).body)).toEqual(keysOf(seen));
    expect(keysOf((await rig.get("/api/deliveries")).body)).toEqual(keysOf(list));
    const one = (await rig.get(`/api/deliveries/${id}`)).body as Readonly<Record<string, unknown>>;
    expect(keysOf(one["attempts"])).toEqual(keysOf(more.attempts));
    expect(Object.keys(one)).toEqual([...Object.keys(list.deliveries[0]), ...Object.keys(more)]);
  });

  it("shows the latest calls", async () => {
    const at = 0 as EpochMs;
    const recent = createRecentCalls({ wall: () => at });
    const filtered = [{ destination: "ads" as DestinationId, reason: "destination-off" as const }];
    recent.observe({ at, kind: "accepted", source: "website" as SourceId, messageId: "m1", deliveries: [], filtered });
    const api = createCheckedApi({ relay: createRig().relay, apiToken: createSecret(TOKEN), calls: recent });
    const answer = await api(request("GET", "/api/calls", { headers: BEARER }));
    expect(keysOf({ ...JSON.parse(textOf(answer)) })).toEqual(
      keysOf({ ...calls, calls: [{ ...calls.calls[0], deliveries: [] }] }),
    );
  });

  it("shows why a delivery waits, and the lane that holds it", async () => {
    const rig = createRig({ script: () => ({ kind: "answers", status: 503 }) });
    const id = await rig.track();
    expect(keysOf((await rig.get(`/api/deliveries/${id}/why`)).body)).toEqual(keysOf(why));
    for (let call = 1; call < 60; call += 1) await rig.track({ messageId: `m${String(call)}` });
    await rig.clock.advance(60_000);
    expect(keysOf((await rig.get("/api/lanes")).body)).toEqual(keysOf(lanes));
  });

  it("shows how many deliveries match", async () => {
    const told = await createRig().get("/api/deliveries/count?state=dead");
    expect([told.status, keysOf(told.body)]).toEqual([200, keysOf(counted)]);
  });

  it("shows how much was forgotten", async () => {
    const rig = createRig();
    rig.relay.configure({ ...rig.relay.workspace(), destinations: [] })._unsafeUnwrap();
    const told = await rig.post("/api/lanes/crm/forget");
    expect([told.status, keysOf(told.body)]).toEqual([200, keysOf(forgotten)]);
  });

  it("shows a test event", async () => {
    const rig = createRig({ script: () => ({ kind: "answers", status: 503 }) });
    const told = await rig.post("/api/destinations/crm/test", test);
    expect([told.status, keysOf(told.body)]).toEqual([200, keysOf(tested)]);
  });

  it("shows what a reload has read", async () => {
    const api = createCheckedApi({
      relay: createRig().relay,
      apiToken: createSecret(TOKEN),
      reload: () => Promise.resolve({ kind: "configured", ...reloaded }),
    });
    const answer = await api(request("POST", "/api/reload", { headers: BEARER }));
    expect({ status: answer.status, body: JSON.parse(textOf(answer)) }).toEqual({ status: 200, body: reloaded });
  });

  it("shows a replay that is accepted", async () => {
    const told = await createRig().post("/api/replay", replay);
    expect(told).toMatchObject({ status: 202 });
    expect(keysOf(told.body)).toEqual(keysOf(replayed));
  });

  it("shows the deletion and suppression of users", async () => {
    const rig = createRig();
    await rig.track();
    const told = await rig.post("/api/deletions", deletion);
    expect([told.status, keysOf(told.body)]).toEqual([202, keysOf(deleted)]);
    await rig.clock.advance(60_000);
    expect(keysOf((await rig.get("/api/deletions")).body)).toEqual(keysOf(deletions));
    expect((await rig.get("/api/suppressed")).body).toEqual(suppressed);
  });

  it("shows an audience and its sync", async () => {
    const rig = createRig();
    const made = await rig.post("/api/audiences", audience);
    expect(made).toMatchObject({
      status: 201,
      body: { ...audience, key: audienceMade.key, running: null, last: null },
    });
    const answer = await rig.upload("big_spenders", '"u1"\n"u2"\n"u3"\n');
    expect([answer.status, keysOf(answer.body)]).toEqual([202, keysOf(synced)]);
    await rig.clock.settle();
    const shown = (await rig.get("/api/audiences/big_spenders")).body as Readonly<Record<string, unknown>>;
    expect(keysOf({ ...shown, running: audienceMade.running })).toEqual(keysOf(audienceMade));
  });

  it("names every code by which a call is refused", () => {
    for (const code of REFUSAL_CODES) expect(TEXT).toContain(`\`${code}\``);
  });
});
