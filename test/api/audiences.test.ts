import { isUpload } from "@postrider/http/api";
import { createSecret, type DestinationId, type EpochMs, type SourceId } from "@postrider/core";
import type { Relay } from "@postrider/relay";
import fc from "fast-check";
import { okAsync, ResultAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { TOKEN } from "../canary.js";
import "../property.js";
import { request, textOf } from "../http/request.js";
import { destination, workspace } from "../ingest/world.js";
import { createCheckedApi } from "./contract/checked-api.js";
import { BEARER, type Rig, createRig } from "./rig.js";

const SPENDERS = { name: "Big Spenders", destinations: ["crm"] };

async function withAudience(definition: object = SPENDERS): Promise<Rig> {
  const rig = createRig();
  expect((await rig.post("/api/audiences", definition)).status).toBe(201);
  return rig;
}

function show(rig: Rig, key = "big_spenders"): Promise<unknown> {
  return rig.get(`/api/audiences/${encodeURIComponent(key)}`).then(({ body }) => body);
}

/** The users u1, u2 and so on, `count` of them. */
function membersTo(count: number): string {
  return Array.from({ length: count }, (_, at) => `"u${String(at + 1)}"\n`).join("");
}

/** The changes that the receivers were sent, in order of the users. */
function heard(rig: Rig): readonly unknown[] {
  const told = rig.messages().map(({ userId, traits }) => [userId, traits] as [string, unknown]);
  return told.sort(([one], [other]) => one.localeCompare(other));
}

describe("POST /api/audiences", () => {
  it("creates an audience under a new key, and returns its location", async () => {
    const rig = createRig();
    const told = await rig.post("/api/audiences", SPENDERS);
    expect(told).toMatchObject({
      status: 201,
      body: { key: "big_spenders", name: "Big Spenders", kind: "audience", sendsAs: "identify", destinations: ["crm"] },
    });
    expect(told.headers.get("location")).toBe("/api/audiences/big_spenders");
    expect(await show(rig)).toEqual(told.body);
    expect((await rig.get("/api/audiences")).body).toEqual({ audiences: [told.body] });
  });

  it("may have a name in any script", async () => {
    const rig = await withAudience({ ...SPENDERS, name: "Käufer 2026" });
    expect(await show(rig, "käufer_2026")).toMatchObject({ name: "Käufer 2026" });
  });

  it.each([
    ["no name", { name: undefined }, "name"],
    ["a name of signs alone", { name: "!!!" }, "name"],
    ["a name that is too long", { name: "x".repeat(201) }, "name"],
    ["no destinations", { destinations: undefined }, "destinations"],
    ["a destination that is not there", { destinations: ["crm", "none"] }, "destinations[1]"],
    ["a kind that is none", { kind: "set" }, "kind"],
    ["a way to send that is none", { sendsAs: "page" }, "sendsAs"],
    ["an unknown field", { key: "k" }, "key"],
  ])("is refused for %s, with the path of the problem", async (_, changes, path) => {
    const rig = createRig();
    expect(await rig.post("/api/audiences", { ...SPENDERS, ...changes })).toMatchObject({
      status: 400,
      body: { error: { code: "bad-audience", path } },
    });
    expect((await rig.get("/api/audiences")).body).toEqual({ audiences: [] });
  });

  it("is refused if the key is taken", async () => {
    const rig = await withAudience();
    expect(await rig.post("/api/audiences", { ...SPENDERS, name: "big--spenders" })).toMatchObject({
      status: 409,
      body: { error: { code: "key-taken" } },
    });
  });
});

describe("POST /api/audiences/KEY/destinations", () => {
  it("sends all members to new destinations with the next sync", async () => {
    const both = ["crm", "mail"].map((id) => destination({ id: id as DestinationId }));
    const rig = createRig({ workspace: workspace({ destinations: both }) });
    await rig.post("/api/audiences", SPENDERS);
    await rig.upload("big_spenders", '"u1"\n');
    const told = await rig.post("/api/audiences/big_spenders/destinations", { destinations: ["crm", "mail"] });
    expect(told).toMatchObject({ status: 200, body: { destinations: ["crm", "mail"] } });
    await rig.upload("big_spenders", '"u1"\n');
    expect(await show(rig)).toMatchObject({
      last: { sync: 2, entered: 0 },
      told: [
        { destination: "crm", sync: 2 },
        { destination: "mail", sync: 2 },
      ],
    });
  });

  it("is refused for an audience or a destination that does not exist", async () => {
    const rig = await withAudience();
    const asked = (key: string, destinations: unknown) =>
      rig.post(`/api/audiences/${key}/destinations`, { destinations });
    expect(await asked("none", ["crm"])).toMatchObject({ status: 404 });
    expect(await asked("big_spenders", ["none"])).toMatchObject({ body: { error: { path: "destinations[0]" } } });
    expect(await asked("big_spenders", "crm")).toMatchObject({ body: { error: { path: "destinations" } } });
  });
});

describe("POST /api/audiences/KEY/sync", () => {
  it("stores the members, answers the report so far, and sends only the changes", async () => {
    const rig = await withAudience();
    expect(await rig.upload("big_spenders", '"u2"\n"u1"\n"u2"\n')).toMatchObject({
      status: 202,
      body: { sync: 1, members: 2 },
    });
    expect(heard(rig)).toEqual([
      ["u1", { big_spenders: true }],
      ["u2", { big_spenders: true }],
    ]);
    await rig.upload("big_spenders", "u2\nu3\n", { contentType: "text/csv; header=absent" });
    expect(heard(rig).slice(-1)).toEqual([["u3", { big_spenders: true }]]);
    expect(heard(rig)).toContainEqual(["u1", { big_spenders: false }]);
    expect(await show(rig)).toMatchObject({
      running: null,
      last: { sync: 2, members: 2, entered: 1, departed: 1, changed: 0, endedAt: expect.any(String) },
      told: [{ destination: "crm", sync: 2 }],
    });
  });

  it("accepts the values of a computed trait", async () => {
    const rig = await withAudience({ ...SPENDERS, name: "Score", kind: "trait" });
    await rig.upload("score", '{"userId":"u1","value":1}\n{"userId":"u2","value":{"a":[]}}\n');
    await rig.upload("score", "user_id,value\nu1,2\n", { contentType: "text/csv" });
    expect(heard(rig)).toEqual(
      expect.arrayContaining([
        ["u1", { score: 1 }],
        ["u1", { score: 2 }],
        ["u2", { score: { a: [] } }],
        ["u2", { score: null }],
      ]),
    );
  });

  it.each([
    ["a line that is no member", '"u1"\n"u2"\n\n{"id":1}\n"u5"\n', "line 4"],
    ["a user id that is empty", '"u1"\n""\n"u3"\n', "line 2"],
    ["a value where there is none to be", '{"userId":"u1","value":1}\n', "line 1"],
  ])("is refused for %s, and nothing is sent", async (_, text, path) => {
    const rig = await withAudience();
    expect(await rig.upload("big_spenders", text)).toMatchObject({
      status: 400,
      body: { error: { code: "bad-members", path, message: expect.stringMatching(/^line \d: expected ./) } },
    });
    expect(rig.messages()).toEqual([]);
    expect(await show(rig)).toMatchObject({ running: null, last: null });
    expect(await rig.upload("big_spenders", '"u1"\n')).toMatchObject({ status: 202 });
  });

  it("changes nothing if the body is anything other than a list of users", async () => {
    const rig = await withAudience();
    await rig.upload("big_spenders", '"u1"\n"u2"\n');
    const before = await show(rig);
    const noList = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 30 }).map((text) => Buffer.from(`${text}\nu9\n`)),
      fc
        .string({ unit: "binary", maxLength: 30 })
        .map((text) => Buffer.from(`user_id\nu9\n"${text.replaceAll('"', "")}\0"`)),
      fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from([0xff, ...bytes])),
      fc
        .constantFrom("User ID", "id", "user_id;plan", "email,plan")
        .map((header) => Buffer.from(`${header}\nu1\nu9\n`)),
      fc.constantFrom("user_id\nu9\n", '"u9"\n').map((text) => Buffer.from(text, "utf16le")),
      fc.constant(Buffer.from("")),
    );
    await fc.assert(
      fc.asyncProperty(noList, fc.constantFrom("text/csv", "application/x-ndjson"), async (bytes, contentType) => {
        const told = await rig.upload("big_spenders", bytes, { contentType });
        expect(told).toMatchObject({ status: 400, body: { error: { code: "bad-members" } } });
        expect({ ...((await show(rig)) as object), syncs: 0 }).toEqual({ ...(before as object), syncs: 0 });
      }),
      { numRuns: 60 },
    );
    expect(rig.messages()).toHaveLength(2);
  });

  it.each(["text/csv; header=none", "text/csv; charset=utf-16"])("is refused as %s", async (contentType) => {
    const rig = await withAudience();
    expect(await rig.upload("big_spenders", "user_id\nu1\n", { contentType })).toMatchObject({
      status: 400,
      body: { error: { code: "bad-members", path: "Content-Type" } },
    });
    expect(rig.messages()).toEqual([]);
  });

  it("removes more than half of the members only if exactly their number is confirmed", async () => {
    const rig = await withAudience();
    await rig.upload("big_spenders", membersTo(20));
    const asked = { status: 409, body: { error: { code: "would-remove" }, members: 9, entered: 0, departed: 11 } };
    for (const options of [{}, { confirmRemove: "10" }, { confirmRemove: "12" }]) {
      const told = await rig.upload("big_spenders", membersTo(9), options);
      expect(told).toMatchObject(asked);
      expect(JSON.stringify(told.body)).toContain("X-Confirm-Remove: 11");
      expect(await show(rig)).toMatchObject({ running: null, last: { sync: 1, members: 20 } });
    }
    expect(rig.messages()).toHaveLength(20);
    expect(await rig.upload("big_spenders", membersTo(9), { confirmRemove: "11" })).toMatchObject({
      status: 202,
      body: { members: 9, departed: 11 },
    });
    expect(heard(rig).filter((one) => JSON.stringify(one).includes("false"))).toHaveLength(11);
  });

  it.each(["", "all", "-1", "1.5", "0x10", "1".repeat(16)])(
    "is refused for a confirmation of %j",
    async (confirmRemove) => {
      const rig = await withAudience();
      expect(await rig.upload("big_spenders", '"u1"\n', { confirmRemove })).toMatchObject({
        status: 400,
        body: { error: { code: "bad-members", path: "X-Confirm-Remove" } },
      });
      expect(rig.messages()).toEqual([]);
    },
  );

  it("reads a CSV that has only a header as an empty list", async () => {
    const rig = await withAudience();
    await rig.upload("big_spenders", '"u1"\n');
    expect(await rig.upload("big_spenders", "user_id\n", { contentType: "text/csv" })).toMatchObject({
      status: 202,
      body: { members: 0, departed: 1 },
    });
  });

  it("is refused when its caller leaves before the end, and nothing is sent", async () => {
    const rig = await withAudience();
    async function* broken(): AsyncGenerator<Uint8Array, void, undefined> {
      yield Buffer.from('"u1"\n');
      throw new Error("aborted");
    }
    const incoming = request("POST", "/api/audiences/big_spenders/sync", { headers: BEARER });
    const told = rig.send({ ...incoming, body: { kind: "streamed", chunks: broken() } });
    await rig.clock.settle();
    expect(await told).toMatchObject({ status: 400, body: { error: { code: "bad-members" } } });
    expect(rig.messages()).toEqual([]);
  });

  it("is refused while another sync is under way, and answers its progress", async () => {
    const rig = await withAudience();
    let end: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (end = resolve));
    async function* slow(): AsyncGenerator<Uint8Array, void, undefined> {
      yield Buffer.from('"u1"\n');
      await held;
    }
    const incoming = request("POST", "/api/audiences/big_spenders/sync", { headers: BEARER });
    const first = rig.send({ ...incoming, body: { kind: "streamed", chunks: slow() } });
    await rig.clock.settle();
    expect(await rig.upload("big_spenders", '"u2"\n')).toMatchObject({
      status: 409,
      body: { error: { code: "sync-running" } },
    });
    expect(await show(rig)).toMatchObject({ running: { sync: 1, phase: "collecting", members: null } });
    end();
    await rig.clock.settle();
    expect(await first).toMatchObject({ status: 202, body: { sync: 1, members: 1 } });
  });

  it("is answered once its members are stored, however long sending takes", async () => {
    const rig = await withAudience();
    const [record] = (await rig.relay.audiences())._unsafeUnwrap();
    const counts = { entered: 0, departed: 0, changed: 0 };
    const holder = { owner: "o", aliveAt: 0 as EpochMs };
    const running = { kind: "sending", set: "s", members: 3, left: [], ...holder, ...counts } as const;
    const relay: Relay = {
      ...rig.relay,
      audience: () => okAsync({ ...record!, syncs: 7, running }),
      syncAudience: (_key, _members, { onProgress } = {}) => {
        onProgress?.({ phase: "sending", done: 0, total: 3 });
        return new ResultAsync(new Promise(() => undefined));
      },
    };
    const api = createCheckedApi({ relay, apiToken: createSecret(TOKEN) });
    const answer = await api(request("POST", "/api/audiences/big_spenders/sync", { headers: BEARER }));
    expect([answer.status, JSON.parse(textOf(answer))]).toEqual([
      202,
      { sync: 7, members: 3, ...counts, endedAt: null },
    ]);
    const shown = await api(request("GET", "/api/audiences/big_spenders", { headers: BEARER }));
    expect(JSON.parse(textOf(shown))).toMatchObject({ running: { phase: "sending", done: 0, total: 3, members: 3 } });
  });

  it("accepts a body that its listener has read completely", async () => {
    const rig = await withAudience();
    const bytes = Buffer.from('"u1"\n');
    const told = rig.send(request("POST", "/api/audiences/big_spenders/sync", { bytes, headers: BEARER }));
    await rig.clock.settle();
    expect(await told).toMatchObject({ status: 202, body: { members: 1 } });
  });

  it.each([
    ["too-large", 413],
    ["no-room", 503],
  ] as const)("is refused if its listener reports %s", async (kind, status) => {
    const rig = await withAudience();
    const incoming = request("POST", "/api/audiences/big_spenders/sync", { headers: BEARER });
    expect(await rig.send({ ...incoming, body: { kind } })).toMatchObject({ status });
  });

  it("answers 404 for an audience that does not exist", async () => {
    expect(await createRig().upload("none", '"u1"\n')).toMatchObject({ status: 404 });
    expect(await createRig().get("/api/audiences/none")).toMatchObject({ status: 404 });
  });

  it("counts the changes that it sends for a separate source", async () => {
    const rig = await withAudience();
    await rig.upload("big_spenders", '"u1"\n"u2"\n');
    expect((await rig.get("/api/stats")).body).toMatchObject({
      sources: [{ source: "audience/big_spenders" as SourceId, accepted: 2, delivered: 2 }],
    });
  });
});

describe("isUpload", () => {
  it("is true for a list of members, and for no other request", () => {
    const path = "/api/audiences/k%20k/sync";
    expect(isUpload({ method: "POST", path })).toBe(true);
    for (const head of [
      { method: "GET", path },
      { method: "POST", path: `${path}/` },
      { method: "POST", path: "/api/audiences" },
      { method: "POST", path: "/api/audiences/k/destinations" },
      { method: "POST", path: "/api/audiences/%E0%A4%A/sync" },
      { method: "POST", path: "/v1/batch" },
    ]) {
      expect(isUpload(head)).toBe(false);
    }
  });
});
