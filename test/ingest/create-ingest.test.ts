import { gzipSync } from "node:zlib";
import type { Answer, IncomingRequest } from "@postrider/http/ingest";
import { describe, expect, it } from "vitest";
import { SHOP_KEY, WRITE_KEY } from "../canary.js";
import { request, textOf } from "../http/request.js";
import { basic, post } from "./requests.js";
import { createWorld, failingCommits, source, workspace, type WorldOptions } from "./world.js";

const TRACK = { userId: "u1", event: "Signed Up", messageId: "m1" };
const KINDS = [
  ["identify", "i", { userId: "u1", traits: { plan: "pro" } }],
  ["track", "t", { userId: "u1", event: "Signed Up" }],
  ["page", "p", { userId: "u1", name: "Home" }],
  ["screen", "s", { userId: "u1", name: "Home" }],
  ["group", "g", { userId: "u1", groupId: "g1" }],
  ["alias", "a", { userId: "u1", previousId: "anon" }],
] as const;

interface Read {
  readonly status: number;
  readonly body: unknown;
  readonly headers: ReadonlyMap<string, string>;
}

function readAnswer(answer: Answer): Read {
  const headers = new Map(answer.headers.map(([name, value]) => [name.toLowerCase(), value]));
  return { status: answer.status, body: answer.body === "" ? undefined : JSON.parse(textOf(answer)), headers };
}

async function ask(incoming: IncomingRequest, options: WorldOptions = {}): Promise<Read> {
  return readAnswer(await createWorld(options).ingest(incoming));
}

function failure(code: string): object {
  return { success: false, error: { code } };
}

describe("one call", () => {
  it.each(KINDS)("accepts %s, by its name and by its letter, and delivers it once", async (kind, letter, call) => {
    const world = createWorld();
    const named = readAnswer(await world.ingest(post(`/v1/${kind}`, { ...call, messageId: "m1" })));
    const short = readAnswer(await world.ingest(post(`/v1/${letter}`, { ...call, messageId: "m2" })));
    expect(named).toMatchObject({ status: 200, body: { success: true, messageId: "m1" } });
    expect(short).toMatchObject({ status: 200, body: { success: true, messageId: "m2" } });
    await world.clock.settle();
    expect(world.messages()).toMatchObject([
      { type: kind, messageId: "m1" },
      { type: kind, messageId: "m2" },
    ]);
  });

  it("answers the messageId that it creates for a call without one", async () => {
    const world = createWorld();
    const answer = readAnswer(await world.ingest(post("/v1/track", { userId: "u1", event: "e" })));
    await world.clock.settle();
    expect(answer.body).toEqual({ success: true, messageId: world.messages()[0]?.["messageId"] });
  });

  it("answers a duplicate as it answered the first", async () => {
    const world = createWorld();
    const first = await world.ingest(post("/v1/track", TRACK));
    expect(await world.ingest(post("/v1/track", { ...TRACK, event: "Other" }))).toEqual(first);
    await world.clock.settle();
    expect(world.messages()).toHaveLength(1);
  });

  it("answers a filtered call as a success", async () => {
    const answer = await ask(post("/v1/track", { ...TRACK, integrations: { All: false } }));
    expect(answer).toMatchObject({ status: 200, body: { success: true, messageId: "m1" } });
  });

  it.each([
    ["no event", { userId: "u1" }, 400, "no-event", "event"],
    ["no ids", { event: "e" }, 400, "no-ids", undefined],
    ["another type than the path", { ...TRACK, type: "page" }, 400, "unknown-type", "type"],
    ["properties that are no object", { ...TRACK, properties: ["a"] }, 400, "not-an-object", "properties"],
    ["a list", [TRACK], 400, "not-an-object", ""],
    ["null", null, 400, "not-an-object", ""],
    ["more than 32 KB", { ...TRACK, properties: { x: "x".repeat(32_768) } }, 413, "too-large", ""],
  ])("refuses %s", async (_, body, status, code, path) => {
    const answer = await ask(post("/v1/track", body));
    const error = path === undefined ? { code } : { code, path };
    expect(answer).toMatchObject({ status, body: { success: false, error } });
  });

  it("accepts 32,768 bytes and refuses one more", async () => {
    const empty = JSON.stringify({ ...TRACK, properties: { x: "" } }).length;
    const sized = (bytes: number): object => ({ ...TRACK, properties: { x: "x".repeat(bytes - empty) } });
    expect((await ask(post("/v1/track", sized(32_768)))).status).toBe(200);
    expect((await ask(post("/v1/track", sized(32_769)))).status).toBe(413);
  });

  it("refuses a body of half a million brackets, and continues to work", async () => {
    const world = createWorld();
    const deep = `{"userId":"u1","event":"e","properties":${"[".repeat(250_000)}${"]".repeat(250_000)}}`;
    const incoming = request("POST", "/v1/track", { bytes: Buffer.from(deep), headers: basic() });
    expect(readAnswer(await world.ingest(incoming))).toMatchObject({ status: 400, body: failure("too-deep") });
    expect((await world.ingest(post("/v1/track", TRACK))).status).toBe(200);
  });

  it("refuses a body over 512,000 bytes, zipped or not", async () => {
    const long = Buffer.from(JSON.stringify({ ...TRACK, pad: "x".repeat(512_000) }));
    const zipped = request("POST", "/v1/track", { bytes: gzipSync(long), headers: basic() });
    expect(await ask(zipped)).toMatchObject({ status: 413, body: failure("too-large") });
    const unread: IncomingRequest = { ...zipped, body: { kind: "too-large" } };
    expect(await ask(unread)).toMatchObject({ status: 413, body: failure("too-large") });
  });
});

describe("a batch", () => {
  it.each(["/v1/batch", "/v1/import", "/v1/b"])("is accepted at %s, each call separately", async (path) => {
    const world = createWorld();
    const batch = [
      { type: "track", ...TRACK },
      { type: "track", ...TRACK },
      { type: "delete", userId: "u1" },
      { type: "identify", userId: "u1", messageId: "m2" },
      7,
    ];
    const answer = readAnswer(await world.ingest(post(path, { batch, context: { app: "a" } })));
    expect(answer).toMatchObject({
      status: 200,
      body: {
        success: true,
        accepted: 2,
        duplicates: 1,
        rejected: [
          { index: 2, code: "unknown-type", path: "type" },
          { index: 4, code: "not-an-object", path: "" },
        ],
      },
    });
    await world.clock.settle();
    expect(world.messages().map(({ messageId, context }) => [messageId, context])).toEqual([
      ["m1", { app: "a" }],
      ["m2", { app: "a" }],
    ]);
  });

  it("corrects each call's time by the batch's sentAt", async () => {
    const world = createWorld();
    const call = { type: "track", ...TRACK, timestamp: "2020-01-01T00:00:00Z" };
    await world.ingest(post("/v1/batch", { batch: [call], sentAt: "2020-01-01T00:00:01Z" }));
    await world.clock.settle();
    expect(world.messages()).toMatchObject([{ timestamp: "2025-12-31T23:59:59.000Z" }]);
  });

  it.each([
    ["a list", [], 400, "bad-batch"],
    ["a text", "batch", 400, "bad-batch"],
    ["an object without a batch", {}, 400, "bad-batch"],
    ["a batch that is no list", { batch: {} }, 400, "bad-batch"],
    ["an empty batch", { batch: [] }, 400, "empty-batch"],
    ["a context that is no object", { batch: [TRACK], context: 1 }, 400, "bad-batch"],
    ["2,501 calls", { batch: Array.from({ length: 2_501 }, () => ({})) }, 413, "too-many-calls"],
  ])("refuses %s", async (_, body, status, code) => {
    expect(await ask(post("/v1/batch", body))).toMatchObject({ status, body: failure(code) });
  });

  it("accepts 2,500 calls", async () => {
    const batch = Array.from({ length: 2_500 }, (_, index) => ({
      type: "track",
      userId: "u",
      event: "e",
      messageId: `m${String(index)}`,
    }));
    const world = createWorld();
    const answer = world.ingest(post("/v1/batch", { batch }));
    // After each slice, ingest waits for a timer, which would never fire if the clock stood still.
    await world.clock.advance(0);
    expect(readAnswer(await answer)).toMatchObject({ status: 200, body: { accepted: 2_500 } });
  });

  it("accepts 512,000 bytes and refuses one more", async () => {
    const batch = Array.from({ length: 20 }, () => ({
      type: "track",
      userId: "u",
      event: "e",
      properties: { x: "x".repeat(20_000) },
    }));
    const text = JSON.stringify({ batch });
    const padded = (length: number): IncomingRequest =>
      request("POST", "/v1/batch", { bytes: gzipSync(text.padEnd(length)), headers: basic() });
    expect((await ask(padded(512_000))).status).toBe(200);
    expect(await ask(padded(512_001))).toMatchObject({ status: 413, body: failure("batch-too-large") });
  });
});

describe("the key", () => {
  it("is read from Basic auth, otherwise from the body", async () => {
    const world = createWorld();
    await world.ingest(request("POST", "/v1/t", { body: { ...TRACK, writeKey: WRITE_KEY } }));
    await world.ingest(
      request("POST", "/v1/b", { body: { batch: [{ type: "track", ...TRACK }], writeKey: SHOP_KEY } }),
    );
    await world.ingest(request("POST", "/v1/t", { body: { ...TRACK, messageId: "m2" }, headers: basic(SHOP_KEY) }));
    await world.clock.settle();
    const page = (await world.relay.deliveries({ limit: 10 }))._unsafeUnwrap();
    expect(page.deliveries.map(({ source: from }) => from)).toEqual(["website"]);
    expect((await world.relay.stats())._unsafeUnwrap()).toMatchObject({ accepted: 3, filtered: 2 });
  });

  it("in Basic auth has precedence over that in the body", async () => {
    const wrong = request("POST", "/v1/t", { body: { ...TRACK, writeKey: WRITE_KEY }, headers: basic("wrong") });
    expect(await ask(wrong)).toMatchObject({ status: 401, body: failure("unknown-key") });
    const world = createWorld();
    await world.ingest(request("POST", "/v1/t", { body: { ...TRACK, writeKey: SHOP_KEY }, headers: basic() }));
    const page = (await world.relay.deliveries({ limit: 10 }))._unsafeUnwrap();
    expect(page.deliveries.map(({ source: from }) => from)).toEqual(["website"]);
  });

  it("in the query of a beacon is used if Basic auth has none, and has precedence over that in the body", async () => {
    const world = createWorld();
    const body = { batch: [{ type: "track", ...TRACK }], writeKey: SHOP_KEY };
    const beacon = (key: string, headers = {}) =>
      request("POST", "/beacon/v1/batch", { body, headers, query: `writeKey=${key}` });
    await world.ingest(beacon(WRITE_KEY));
    await world.ingest(beacon("wrong", basic()));
    expect(await ask(beacon("wrong"))).toMatchObject({ status: 401, body: failure("unknown-key") });
    const page = (await world.relay.deliveries({ limit: 10 }))._unsafeUnwrap();
    expect(page.deliveries.map(({ source: from }) => from)).toEqual(["website"]);
    expect((await world.relay.stats())._unsafeUnwrap()).toMatchObject({ accepted: 1, duplicates: 1 });
  });

  it.each([
    ["no key", {}, {}],
    ["a wrong key", { writeKey: "wrong" }, {}],
    ["a key that is no text", { writeKey: [WRITE_KEY] }, {}],
    ["a bearer", {}, { authorization: `Bearer ${WRITE_KEY}` }],
    ["an empty user", {}, basic("")],
  ])("is unknown with %s", async (_, more, headers) => {
    for (const [path, body] of [
      ["/v1/track", TRACK],
      ["/v1/batch", { batch: [TRACK] }],
    ] as const) {
      const answer = await ask(request("POST", path, { body: { ...body, ...more }, headers }));
      expect(answer).toMatchObject({ status: 401, body: failure("unknown-key") });
    }
  });

  it("in Basic auth is checked before the body is read", async () => {
    const answer = await ask(request("POST", "/v1/track", { bytes: Buffer.from("not json"), headers: basic("wrong") }));
    expect(answer.status).toBe(401);
  });

  it("cannot be in a body that is not an object", async () => {
    expect(await ask(request("POST", "/v1/track", { body: [] }))).toMatchObject({
      status: 400,
      body: { success: false, error: { code: "not-an-object", path: "" } },
    });
    expect(await ask(request("POST", "/v1/batch", { body: [] }))).toMatchObject({
      status: 400,
      body: failure("bad-batch"),
    });
  });

  it("follows the settings in force", async () => {
    const world = createWorld();
    expect((await world.ingest(post("/v1/track", TRACK))).status).toBe(200);
    world.relay.configure(workspace({ sources: [source("website", "wk_new")] }))._unsafeUnwrap();
    expect((await world.ingest(post("/v1/track", TRACK))).status).toBe(401);
    expect((await world.ingest(request("POST", "/v1/track", { body: TRACK, headers: basic("wk_new") }))).status).toBe(
      200,
    );
  });
});

describe("a request as real libraries send it", () => {
  it.each([
    ["text/plain", { "content-type": "text/plain" }],
    ["a form's type", { "content-type": "application/x-www-form-urlencoded" }],
    ["no type", {}],
    ["an encoding that is not there", { "content-encoding": "gzip" }],
  ])("is accepted with %s", async (_, headers) => {
    const answer = await ask(request("POST", "/v1/t", { body: { ...TRACK, writeKey: WRITE_KEY }, headers }));
    expect(answer.status).toBe(200);
  });

  it.each([{ "content-encoding": "gzip" }, { "content-encoding": "identity" }, {}])(
    "is unzipped under %j",
    async (headers) => {
      const bytes = gzipSync(JSON.stringify({ ...TRACK, writeKey: WRITE_KEY }));
      expect((await ask(request("POST", "/v1/t", { bytes, headers }))).status).toBe(200);
    },
  );

  it("is accepted with an empty list of integrations, as PHP writes an empty map", async () => {
    const world = createWorld();
    const batch = [
      { type: "track", ...TRACK, integrations: [] },
      { type: "track", ...TRACK, messageId: "m2", integrations: { All: true } },
    ];
    const answers = [
      await world.ingest(post("/v1/track", { ...TRACK, messageId: "m3", integrations: [] })),
      await world.ingest(post("/v1/batch", { batch, integrations: [] })),
    ].map(readAnswer);
    expect(answers).toMatchObject([{ status: 200 }, { status: 200, body: { accepted: 2, rejected: [] } }]);
    await world.clock.settle();
    expect(world.messages().map((message) => message["messageId"])).toEqual(["m3", "m1", "m2"]);
  });

  it("inherits the integrations of its batch if those of the call are an empty list", async () => {
    const world = createWorld();
    const batch = [{ type: "track", ...TRACK, integrations: [] }];
    await world.ingest(post("/v1/batch", { batch, integrations: { All: false } }));
    await world.clock.settle();
    expect(world.messages()).toEqual([]);
  });

  it.each(["//v1/track", "/v1//track", "/v1/track/", "///v1///track//"])("is accepted at %s", async (path) => {
    expect((await ask(post(path, TRACK))).status).toBe(200);
  });

  it("is refused as bad-json when it cannot be read", async () => {
    const answer = await ask(request("POST", "/v1/t", { bytes: Buffer.from("{"), headers: basic() }));
    expect(answer).toMatchObject({ status: 400, body: failure("bad-json") });
  });
});

describe("a store that cannot store calls", () => {
  it.each([
    ["busy", "5"],
    ["full", "5"],
    ["unavailable", "5"],
    ["corrupt", "5"],
  ])("and is %s causes every request to be refused", async (code, seconds) => {
    const world = createWorld({ wrap: failingCommits(code) });
    for (const incoming of [post("/v1/track", TRACK), post("/v1/batch", { batch: [{ type: "track", ...TRACK }, 7] })]) {
      const answering = world.ingest(incoming);
      await world.clock.advance(1_000);
      const answer = readAnswer(await answering);
      expect(answer).toMatchObject({ status: 503, body: failure("store-unavailable") });
      expect(answer.headers.get("retry-after")).toBe(seconds);
    }
  });

  it("refuses all calls once the relay has stopped", async () => {
    const world = createWorld();
    await world.relay.stop();
    expect((await world.ingest(post("/v1/track", TRACK))).status).toBe(503);
  });
});

describe("paths and methods", () => {
  it("answers 404 for all other paths", async () => {
    expect(await ask(post("/v1/delete", TRACK))).toMatchObject({ status: 404, body: failure("not-found") });
  });

  it.each([
    ["GET", "/v1/track", "POST, OPTIONS"],
    ["HEAD", "/v1/track", "POST, OPTIONS"],
    ["PUT", "/v1/batch", "POST, OPTIONS"],
    ["POST", `/v1/projects/${WRITE_KEY}/settings`, "GET, OPTIONS"],
  ])("refuses %s %s, and answers the allowed methods", async (method, path, allow) => {
    const answer = await ask(request(method, path, { headers: basic() }));
    expect(answer).toMatchObject({ status: 405, body: failure("method-not-allowed") });
    expect(answer.headers.get("allow")).toBe(allow);
  });

  it("answers the preflight request of a browser", async () => {
    const answer = await ask(request("OPTIONS", "/v1/t"));
    expect(answer.status).toBe(204);
    expect(answer.body).toBeUndefined();
    expect(answer.headers.get("access-control-allow-methods")).toBe("POST");
    expect(answer.headers.get("access-control-allow-headers")).toContain("Authorization");
  });

  it("lets any page read any answer, without cookies", async () => {
    const requests = [
      post("/v1/track", TRACK),
      post("/v1/track", {}),
      post("/v1/nothing", {}),
      request("POST", "/v1/t", { body: {} }),
      request("GET", "/v1/track"),
      request("OPTIONS", "/v1/track"),
      request("GET", `/v1/projects/${WRITE_KEY}/settings`),
    ];
    const statuses = new Set<number>();
    for (const incoming of requests) {
      const answer = await ask(incoming);
      statuses.add(answer.status);
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
    }
    expect([...statuses].sort()).toEqual([200, 204, 400, 401, 404, 405]);
  });
});

describe("the settings of a project", () => {
  it("make a browser library send its calls to this server", async () => {
    const incoming = request("GET", `/v1/projects/${WRITE_KEY}/settings`, {
      headers: { host: "calls.example.com:8080" },
    });
    const answer = await ask(incoming);
    expect(answer.status).toBe(200);
    // Whole, since each library reads other parts of it.
    expect(answer.body).toEqual({
      integrations: {
        "Segment.io": {
          ...{ apiKey: WRITE_KEY, apiHost: "calls.example.com:8080/v1" },
          ...{ addBundledMetadata: true, unbundledIntegrations: [] },
        },
      },
      plan: { track: { __default: { enabled: true, integrations: {} } } },
      ...{ edgeFunction: {}, middlewareSettings: {}, enabledMiddleware: {}, remotePlugins: [] },
      ...{ analyticsNextEnabled: true, legacyVideoPluginsEnabled: false, metrics: { sampleRate: 0 } },
    });
  });

  it("name the path under which the server is mounted, unless that is no plain path", async () => {
    const hostOf = async (mountPath: string): Promise<string> => {
      const incoming = request("GET", `/v1/projects/${WRITE_KEY}/settings`, { headers: { host: "example.com" } });
      return JSON.stringify((await ask({ ...incoming, mountPath })).body);
    };
    expect(await hostOf("/app/segment")).toContain('"apiHost":"example.com/app/segment/v1"');
    expect(await hostOf("/@evil")).not.toContain("apiHost");
  });

  it.each(["evil/path", "a b", "user@host", ""])("do not name an invalid host: %j", async (host) => {
    const answer = await ask(request("GET", `/v1/projects/${WRITE_KEY}/settings`, { headers: { host } }));
    expect(answer.status).toBe(200);
    expect(JSON.stringify(answer.body)).not.toContain("apiHost");
  });

  it.each(["[::1]:8080", "localhost", "127.0.0.1:80"])("name the host %j", async (host) => {
    const answer = await ask(request("GET", `/v1/projects/${WRITE_KEY}/settings`, { headers: { host } }));
    expect(JSON.stringify(answer.body)).toContain(JSON.stringify(`${host}/v1`));
  });

  it("are not reused by a cache for a request to another host", async () => {
    const world = createWorld();
    const incoming = request("GET", `/v1/projects/${WRITE_KEY}/settings`, { headers: { host: "a.example.com" } });
    const { headers } = await world.ingest(incoming);
    expect(headers).toContainEqual(["Vary", "Host"]);
    expect(headers).toContainEqual(["Cache-Control", "no-cache"]);
    expect(headers).toContainEqual(["X-Content-Type-Options", "nosniff"]);
  });

  it("are answered 404 for an unknown key", async () => {
    expect(await ask(request("GET", "/v1/projects/wrong/settings"))).toMatchObject({
      status: 404,
      body: failure("not-found"),
    });
  });
});
