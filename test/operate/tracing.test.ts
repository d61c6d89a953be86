// OpenTelemetry's real SDK records the spans of whole lives: of calls, of their rounds over retries, deaths, replays and a restart on
// a real file, and of each attempt; and none where nothing is to be recorded.

import { execFile, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import type { RelayEvent } from "@postrider/relay";
import { createDeliverySampler, createTracing, type Tracing } from "@postrider/relay/metrics";
import { createPostrider } from "postrider";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WRITE_KEY } from "../canary.js";
import { ROOT } from "../house/packages.js";
import {
  inHostSpan,
  opentelemetry,
  type RecordedSpan,
  recordSpans,
  sharedSampler,
  type SpanRecording,
} from "../programs/opentelemetry/record-spans.js";
import { createRig, destination, type Rig, type RigOptions, track, WEBSITE } from "../relay/rig.js";
import { newFile, openStore } from "../sqlite/files.js";

const PRIVATE = { user: "jane.doe@example.org", secretQuery: "key-of-jane", body: "said-by-jane" };

let recording: SpanRecording;
beforeEach(() => {
  recording = recordSpans();
});
afterEach(() => recording.stop());

interface TracedRig extends Rig {
  readonly tracing: Tracing;
  /** Accepts a call in a span of the host. */
  acceptTraced(changes?: object): Promise<void>;
}

function createTracedRig(options: RigOptions = {}): TracedRig {
  const tracing = createTracing(opentelemetry);
  const events: RelayEvent[] = [];
  const observe = (event: RelayEvent): void => {
    events.push(event);
    tracing.observe(event);
  };
  const rig = createRig({ ...options, relay: { observe, ...options.relay } });
  return {
    ...rig,
    events,
    tracing,
    acceptTraced: async (changes = {}) => {
      const calls = [track({ userId: PRIVATE.user, properties: { said: PRIVATE.body }, ...changes })];
      const relay = tracing.wrap(rig.relay());
      await inHostSpan("request of the host", () => rig.answer(relay.accept({ source: WEBSITE, calls })));
    },
  };
}

function named(name: string): readonly RecordedSpan[] {
  return recording.spans().filter((span) => span.name === name);
}

function only(name: string): RecordedSpan {
  const [span, ...others] = named(name);
  if (span === undefined || others.length > 0) throw new Error(`there is not exactly one span ${name}`);
  return span;
}

const TO_A = [destination("crm", ["a"])];

describe("the spans of a call that is delivered", () => {
  it("are one under the host's, and for its round one that links to it, with the attempt below", async () => {
    const rig = createTracedRig({ receivers: { a: { status: 200, afterMs: 70 } } });
    await rig.acceptTraced({ messageId: "m-1" });
    await rig.advance(1_000);
    const [host, sent, round, attempt] = [
      only("request of the host"),
      only("send postrider"),
      only("process crm"),
      only("POST"),
    ];
    expect(recording.spans()).toHaveLength(4);
    expect(sent).toMatchObject({
      kind: "PRODUCER",
      parent: host.id,
      traceId: host.traceId,
      scope: "@postrider/relay/metrics",
    });
    expect(sent.attributes).toEqual({
      "messaging.system": "postrider",
      "messaging.operation.name": "send",
      "messaging.operation.type": "send",
      "messaging.batch.message_count": 1,
      "postrider.source": "website",
      "postrider.calls.accepted": 1,
    });
    expect(round).toMatchObject({ kind: "CONSUMER", parent: undefined, links: [sent.id], hasFailed: false });
    expect(round.traceId).not.toBe(sent.traceId);
    const { id } = await rig.only();
    expect(round.attributes).toEqual({
      "messaging.system": "postrider",
      "messaging.operation.name": "process",
      "messaging.operation.type": "process",
      "messaging.destination.name": "crm",
      "messaging.message.id": "m-1",
      "postrider.source": "website",
      "postrider.delivery.id": id,
      "postrider.round": 1,
      "postrider.outcome": "delivered",
    });
    expect(attempt).toMatchObject({
      kind: "CLIENT",
      parent: round.id,
      traceId: round.traceId,
      links: [],
      hasFailed: false,
    });
    expect(attempt.attributes).toEqual({
      "http.request.method": "POST",
      "url.full": "https://a.example/hook",
      "server.address": "a.example",
      "server.port": 443,
      "http.response.status_code": 200,
      "postrider.delivery.id": id,
      "postrider.verdict": "success",
    });
  });

  it("have the times of the record, although they are made afterwards", async () => {
    const rig = createTracedRig({ receivers: { a: { status: 200, afterMs: 70 } } });
    await rig.acceptTraced();
    await rig.advance(1_000);
    const { attempts } = await rig.only();
    const [startMs, endMs] = [attempts[0]!.startedAt, attempts[0]!.startedAt + 70];
    expect(only("POST")).toMatchObject({ startMs, endMs });
    expect(only("process crm")).toMatchObject({ startMs, endMs });
  });
});

describe("the spans of further rounds", () => {
  it("are one for each round and attempt, and say why it failed and when the next is due", async () => {
    const answers = [{ status: 503 }, { fault: "timeout" } as const, { status: 200 }];
    const rig = createTracedRig({ destinations: TO_A, receivers: { a: ({ nth }) => answers[nth - 1]! } });
    await rig.acceptTraced();
    await rig.advance(3_600_000);
    const rounds = named("process crm");
    expect(rounds.map(({ links }) => links)).toEqual(rounds.map(() => [only("send postrider").id]));
    expect(new Set(rounds.map(({ traceId }) => traceId)).size).toBe(3);
    expect(
      rounds.map(({ attributes, hasFailed }) => [
        attributes["postrider.round"],
        attributes["postrider.outcome"],
        attributes["error.type"],
        hasFailed,
      ]),
    ).toEqual([
      [1, "rescheduled", "503", true],
      [2, "rescheduled", "timeout", true],
      [3, "delivered", undefined, false],
    ]);
    const attempts = named("POST");
    expect(attempts.map(({ parent }) => parent)).toEqual(rounds.map(({ id }) => id));
    expect(
      attempts.map(({ attributes, hasFailed }) => [
        attributes["http.request.resend_count"],
        attributes["http.response.status_code"],
        attributes["error.type"],
        hasFailed,
      ]),
    ).toEqual([
      [undefined, 503, "503", true],
      [1, undefined, "timeout", true],
      [2, 200, undefined, false],
    ]);
    const dueIn = rounds[0]!.attributes["postrider.due_in_ms"];
    expect(rounds[1]!.startMs).toBe(rounds[0]!.endMs + Number(dueIn));
  });

  it("tell why a delivery is dead", async () => {
    const rig = createTracedRig({ receivers: { a: { status: 422 } } });
    await rig.acceptTraced();
    await rig.advance(1_000);
    const { attributes, hasFailed } = only("process crm");
    expect(attributes).toMatchObject({
      "postrider.outcome": "died",
      "postrider.reason": "refused",
      "error.type": "422",
    });
    expect(hasFailed).toBe(true);
  });

  it("are made for a delivery that was dead before any round, at that moment", async () => {
    const laneBounds = { maxDeliveries: 0, maxBytes: 9_999 };
    const rig = createTracedRig({ relay: { laneBounds } });
    await rig.acceptTraced();
    const { attributes, startMs, endMs } = only("process crm");
    expect(attributes).toMatchObject({ "postrider.outcome": "died", "postrider.reason": "lane-full" });
    expect([startMs, endMs]).toEqual([rig.clock.wall(), rig.clock.wall()]);
  });

  it("are made for a round that had only faults of this machine", async () => {
    const rig = createTracedRig({ receivers: { a: ({ nth }) => (nth === 1 ? { fault: "local" } : { status: 200 }) } });
    await rig.acceptTraced();
    await rig.advance(600_000);
    expect(named("process crm").map(({ attributes }) => attributes["postrider.outcome"])).toEqual([
      "released",
      "delivered",
    ]);
  });

  it("link a replay to the call whose message it repeats", async () => {
    const rig = createTracedRig({ receivers: { a: ({ nth }) => ({ status: nth === 1 ? 422 : 200 }) } });
    await rig.acceptTraced();
    await rig.advance(1_000);
    const { id } = await rig.only();
    const replay = await rig.answer(rig.relay().replay(id));
    await rig.advance(1_000);
    const [first, again] = named("process crm");
    expect(again!.links).toEqual(first!.links);
    expect(again!.attributes).toMatchObject({ "postrider.delivery.id": replay, "postrider.outcome": "delivered" });
  });

  it("link to their call after a restart on the same file", async () => {
    const file = newFile();
    const rig = createTracedRig({
      receivers: { a: ({ nth }) => ({ status: nth === 1 ? 503 : 200 }) },
      wrapStore: () => openStore(file),
    });
    await rig.acceptTraced();
    await rig.advance(100);
    rig.crash();
    rig.restart();
    await rig.advance(600_000);
    const rounds = named("process crm");
    expect(rounds.map(({ links, attributes }) => [links, attributes["postrider.outcome"]])).toEqual([
      [[only("send postrider").id], "rescheduled"],
      [[only("send postrider").id], "delivered"],
    ]);
  });
});

describe("the spans of several endpoints and calls", () => {
  it("have an attempt for each endpoint of a round, also one that ends while or after the round is settled", async () => {
    const rig = createTracedRig({
      receivers: { a: { status: 200 }, b: { status: 503, afterMs: 4_000 }, c: { status: 503, afterMs: 5 } },
    });
    await rig.acceptTraced();
    await rig.advance(10_000);
    const round = only("process crm");
    const attempts = named("POST");
    expect(attempts.map(({ parent }) => parent)).toEqual([round.id, round.id, round.id]);
    expect(attempts.map(({ attributes }) => [attributes["server.address"], attributes["postrider.late"]])).toEqual([
      ["c.example", undefined],
      ["a.example", undefined],
      ["b.example", true],
    ]);
    expect(round.endMs - round.startMs).toBe(10);
  });

  it("are one for a batch, to which all rounds of its calls link", async () => {
    const rig = createTracedRig();
    const calls = [track(), track(), { type: "nonsense" }];
    await rig.answer(rig.tracing.wrap(rig.relay()).accept({ source: WEBSITE, calls }));
    await rig.advance(1_000);
    const sent = only("send postrider");
    expect(sent.attributes).toMatchObject({
      "messaging.batch.message_count": 3,
      "postrider.calls.accepted": 2,
      "postrider.calls.refused": 1,
    });
    expect(named("process crm").map(({ links }) => links)).toEqual([[sent.id], [sent.id]]);
  });

  it("say that a call was not stored, and why", async () => {
    const rig = createTracedRig();
    const relay = rig.tracing.wrap(rig.relay());
    await rig.relay().stop();
    const answered = await relay.accept({ source: WEBSITE, calls: [track()] });
    expect(answered._unsafeUnwrapErr()).toEqual({ code: "stopped" });
    expect(only("send postrider")).toMatchObject({ hasFailed: true, attributes: { "error.type": "stopped" } });
  });
});

it("no attribute has a user's id, a part of a body, a secret, or a query", async () => {
  const endpoints = [{ url: `https://a.example:8443/hook?token=${PRIVATE.secretQuery}`, headers: [] }];
  const rig = createTracedRig({
    destinations: [destination("crm", ["a"], { endpoints })],
    receivers: { a: { status: 404, body: PRIVATE.body } },
  });
  await rig.acceptTraced();
  await rig.advance(1_000);
  const text = JSON.stringify(recording.spans());
  for (const one of Object.values(PRIVATE)) expect(text).not.toContain(one);
  expect(only("POST").attributes).toMatchObject({ "url.full": "https://a.example:8443/hook", "server.port": 8443 });
});

describe("what is recorded", () => {
  it("is nothing of a call whose span the sampler leaves out", async () => {
    await recording.stop();
    recording = recordSpans(sharedSampler(0));
    const rig = createTracedRig();
    await rig.acceptTraced();
    await rig.advance(1_000);
    expect(recording.spans()).toEqual([]);
    expect(rig.events.at(-1)).toMatchObject({ kind: "delivered" });
    expect(rig.events.at(-1)).not.toHaveProperty("traceparent");
  });

  it("is, with the sampler for deliveries, all rounds of each call whose span is recorded, and no others", async () => {
    await recording.stop();
    recording = recordSpans(createDeliverySampler(sharedSampler(0.25)));
    const rig = createTracedRig({ receivers: { a: ({ nth }) => ({ status: nth % 3 === 0 ? 503 : 200 }) } });
    for (let call = 0; call < 200; call += 1) await rig.acceptTraced({ messageId: `m-${String(call)}` });
    await rig.advance(7_200_000);
    const sent = named("send postrider").map(({ id }) => id);
    expect(sent.length).toBeGreaterThan(20);
    expect(sent.length).toBeLessThan(90);
    const delivered = named("process crm").filter(({ attributes }) => attributes["postrider.outcome"] === "delivered");
    expect(delivered.map(({ links }) => links[0]).toSorted()).toEqual(sent.toSorted());
    expect(named("POST")).toHaveLength(named("process crm").length);
    expect(named("process crm").length).toBeGreaterThan(sent.length);
  });

  it("is nothing without an SDK", async () => {
    await recording.stop();
    const rig = createTracedRig();
    await rig.acceptTraced();
    await rig.advance(1_000);
    recording = recordSpans();
    expect(rig.events.at(-1)).toMatchObject({ kind: "delivered" });
    expect(rig.events.at(-1)).not.toHaveProperty("traceparent");
  });
});

describe("an embedded Postrider", () => {
  it("makes spans of calls from the program and over HTTP, and of their deliveries", async () => {
    const receiver = createServer((_, response) => response.end()).listen(0, "127.0.0.1");
    await new Promise((resolve) => receiver.once("listening", resolve));
    const { port } = receiver.address() as AddressInfo;
    const postrider = await createPostrider({
      store: "memory:",
      sources: [{ id: "site", writeKey: WRITE_KEY }],
      destinations: [{ id: "crm", sources: ["site"], endpoints: [{ url: `http://127.0.0.1:${String(port)}/hook` }] }],
      network: { allow: ["127.0.0.0/8"] },
      opentelemetry,
    });
    const call = { userId: PRIVATE.user, event: "Signed Up" };
    await inHostSpan("function", () => postrider.track("site", call));
    const authorization = `Basic ${Buffer.from(`${WRITE_KEY}:`).toString("base64")}`;
    const request = new Request("http://host/v1/track", {
      method: "POST",
      headers: { authorization },
      body: JSON.stringify(call),
    });
    await inHostSpan("route", () => postrider.fetch(request));
    await expect.poll(() => named("process crm").length).toBe(2);
    await postrider.close();
    receiver.close();
    const sent = named("send postrider");
    expect(sent.map(({ parent }) => parent)).toEqual([only("function").id, only("route").id]);
    expect(named("process crm").map(({ links }) => links)).toEqual(sent.map(({ id }) => [id]));
    expect(named("POST").map(({ attributes }) => attributes["server.port"])).toEqual([port, port]);
  });

  it("refuses a tracer in place of the whole package", async () => {
    const tracer = opentelemetry.trace.getTracer("mine");
    const making = createPostrider({ store: "memory:", opentelemetry: tracer as never });
    await expect(making).rejects.toThrow(/opentelemetry: expected all of @opentelemetry.api/);
  });
});

it("the benchmark has each span exported where spans are on, and loads no OpenTelemetry where they are off", async () => {
  const receiver = createServer((request, response) => request.resume().on("end", () => response.end()));
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const { port } = receiver.address() as AddressInfo;
  const ran = async (share: string): Promise<unknown> => {
    const words = [`${ROOT}/test/bench/tracing-process.js`, `http://127.0.0.1:${String(port)}`, share, "2", "80"];
    const { stdout } = await promisify(execFile)(process.execPath, words);
    return JSON.parse(stdout);
  };
  const off = { off: expect.any(Number), "off again": expect.any(Number) };
  expect(await ran("none")).toEqual({ microseconds: [off, off], spans: 0 });
  // One span of the host. 40 calls before the measurement and 160 in it: the span of the call, its round, its attempt.
  const all = { ...off, traced: expect.any(Number) };
  expect(await ran("1")).toEqual({ microseconds: [all, all], spans: 1 + 3 * 200 });
  expect(await ran("0")).toEqual({ microseconds: [all, all], spans: 0 });
  receiver.close();
});

const AS_TYPES = `
  import * as opentelemetry from "@opentelemetry/api";
  import { type Sampler, AlwaysOnSampler } from "@opentelemetry/sdk-trace-base";
  import { createDeliverySampler, createTracing, type Tracing } from ${JSON.stringify(`${ROOT}/packages/relay/dist/metrics/index.js`)};
  export const tracing: Tracing = createTracing(opentelemetry);
  export const sampler: Sampler = createDeliverySampler(new AlwaysOnSampler());
`;

it("fits OpenTelemetry's API and SDK for the type checker", () => {
  const folder = `${ROOT}/test/programs/opentelemetry`;
  // Beside the packages that it imports; they are not installed when the tests themselves are compiled.
  const file = `${folder}/node_modules/as-types.mts`;
  writeFileSync(file, AS_TYPES);
  const words = [
    "--ignoreConfig",
    "--noEmit",
    "--strict",
    "--exactOptionalPropertyTypes",
    "--module",
    "nodenext",
    "--skipLibCheck",
    file,
  ];
  const { status, stdout } = spawnSync(`${ROOT}/node_modules/.bin/tsc`, words, { cwd: folder });
  expect([status, String(stdout)]).toEqual([0, ""]);
});
