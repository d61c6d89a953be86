import { createSecret, type DestinationId, type SourceId } from "@postrider/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TOKEN, WRITE_KEY } from "../canary.js";
import "../property.js";
import { BEARER, createRig } from "./rig.js";
import { request } from "../http/request.js";
import { destination, workspace } from "../ingest/world.js";

const NOW = "2026-01-01T00:00:00.000Z";
const LIST_KEYS = [
  "id",
  "state",
  "reason",
  "detail",
  "source",
  "destination",
  "type",
  "messageId",
  "acceptedAt",
  "dueAt",
  "attemptCount",
  "replayOf",
];

interface ListBody {
  readonly deliveries: readonly Readonly<Record<string, unknown>>[];
  readonly next: string | null;
}

describe("GET /api/deliveries", () => {
  it("shows every key of a delivery, null where it does not apply", async () => {
    const rig = createRig();
    const id = await rig.track({ messageId: "m1" });
    const { status, body } = await rig.get("/api/deliveries");
    expect(status).toBe(200);
    expect(body).toEqual({
      deliveries: [
        {
          id,
          state: "delivered",
          reason: null,
          detail: "200",
          source: "website",
          destination: "crm",
          type: "track",
          messageId: "m1",
          acceptedAt: NOW,
          dueAt: null,
          attemptCount: 1,
          replayOf: null,
        },
      ],
      next: null,
    });
    expect(Object.keys((body as ListBody).deliveries[0]!)).toEqual(LIST_KEYS);
  });

  it("shows why a delivery died, when a waiting one is due, and which one a replay repeats", async () => {
    const rig = createRig({ script: ({ index }) => ({ kind: "answers", status: [422, 503][index] ?? 200 }) });
    const dead = await rig.track();
    await rig.track();
    await rig.post(`/api/deliveries/${dead}/replay`);
    await rig.clock.settle();
    const { body } = await rig.get("/api/deliveries");
    expect((body as ListBody).deliveries).toMatchObject([
      { state: "delivered", replayOf: dead },
      { state: "waiting", detail: "503", dueAt: expect.stringMatching(/^2026-01-01T00:00:0[5-7]\.\d{3}Z$/) },
      { state: "dead", reason: "refused", detail: "422", dueAt: null },
    ]);
  });

  it.each([
    ["state=dead", ["m2"]],
    ["state=delivered", ["m4", "m3", "m1"]],
    ["state=waiting", []],
    ["type=page", ["m3"]],
    ["type=delete", []],
    ["messageId=m1", ["m1"]],
    ["source=website", ["m4", "m3", "m2", "m1"]],
    ["source=shop", []],
    ["destination=crm", ["m4", "m3", "m2", "m1"]],
    ["destination=none", []],
    ["state=delivered&type=track&source=website", ["m4", "m1"]],
    ["limit=2", ["m4", "m3"]],
  ])("filters by %s, newest first", async (query, expected) => {
    const rig = createRig({ script: ({ index }) => ({ kind: "answers", status: index === 1 ? 422 : 200 }) });
    for (const [messageId, type] of [
      ["m1", "track"],
      ["m2", "track"],
      ["m3", "page"],
      ["m4", "track"],
    ]) {
      await rig.track({ messageId, type });
      await rig.clock.advance(1);
    }
    const { body } = await rig.get(`/api/deliveries?${query}`);
    expect((body as ListBody).deliveries.map(({ messageId }) => messageId)).toEqual(expected);
  });

  it.each([
    ["state=dead,waiting", ["m4", "m3", "m2"]],
    ["reason=refused", ["m3", "m2"]],
    ["reason=refused&notReplayed=true", ["m3"]],
    ["status=422", ["m2"]],
    ["status=413", ["m3"]],
    ["status=4xx", ["m3", "m2"]],
    ["status=5xx", []],
    ["fault=timeout,dns", ["m4"]],
    ["status=422&fault=timeout", ["m4", "m2"]],
    ["user=ann", ["m5", "m2", "m1"]],
    ["user=bob", ["m5"]],
    ["user=Ann", []],
    ["since=2026-01-01T00:00:00.001Z&until=2026-01-01T00:00:00.003Z", ["m3", "m2"]],
  ])("filters by %s, and counts as many", async (query, expected) => {
    const results = [200, 422, 413] as const;
    const rig = createRig({
      script: ({ index }) =>
        index === 3
          ? { kind: "fails", fault: "timeout", afterMs: 0 }
          : { kind: "answers", status: results[index] ?? 200 },
    });
    const calls = [{ userId: "ann" }, { userId: "ann" }, {}, {}, { type: "alias", userId: "bob", previousId: "ann" }];
    const ids: string[] = [];
    for (const [place, call] of calls.entries()) {
      ids.push(await rig.track({ messageId: `m${String(place + 1)}`, ...call }));
      await rig.clock.advance(1);
    }
    await rig.post(`/api/deliveries/${ids[1]!}/replay`);
    const { body } = await rig.get(`/api/deliveries?${query}`);
    const found = (body as ListBody).deliveries.filter(({ replayOf }) => replayOf === null);
    expect(found.map(({ messageId }) => messageId)).toEqual(expected);
    const count = (body as ListBody).deliveries.length;
    expect((await rig.get(`/api/deliveries/count?${query}`)).body).toEqual({ count, more: false });
  });

  it("leads from page to page, and has 50 deliveries in a page by default", async () => {
    const rig = createRig();
    for (let index = 0; index < 55; index += 1) await rig.track({ messageId: `m${String(index)}` });
    const seen: unknown[] = [];
    let query = "";
    for (let pages = 0; pages < 10; pages += 1) {
      const { deliveries, next } = (await rig.get(`/api/deliveries${query}`)).body as ListBody;
      seen.push(...deliveries.map(({ messageId }) => messageId));
      if (pages === 0) expect(deliveries).toHaveLength(50);
      if (next === null) break;
      query = `?after=${encodeURIComponent(next)}&limit=2`;
    }
    expect(seen).toEqual(Array.from({ length: 55 }, (_, index) => `m${String(54 - index)}`));
  });

  it.each([
    ["state=done", "state"],
    ["state=", "state"],
    ["state=Dead", "state"],
    ["type=delet", "type"],
    ["limit=0", "limit"],
    ["limit=501", "limit"],
    ["limit=-1", "limit"],
    ["limit=1.5", "limit"],
    ["limit=1e2", "limit"],
    ["limit=0000000001", "limit"],
    ["limit=%201", "limit"],
    ["limit=", "limit"],
    ["after=", "after"],
    ["source=", "source"],
    ["state=dead&state=waiting", "state"],
    ["state=dead,", "state"],
    ["state=dead,lost", "state"],
    ["reason=late", "reason"],
    ["status=5", "status"],
    ["status=600", "status"],
    ["status=5x", "status"],
    ["fault=slow", "fault"],
    ["since=yesterday", "since"],
    ["until=", "until"],
    ["user=", "user"],
    ["notReplayed=no", "notReplayed"],
    ["states=dead", "states"],
    ["__proto__=1", "__proto__"],
    ["X-Y=1", '["X-Y"]'],
  ])("refuses %s", async (query, path) => {
    expect(await createRig().get(`/api/deliveries?${query}`)).toMatchObject({
      status: 400,
      body: { success: false, error: { code: "bad-query", path } },
    });
  });

  it.each(["limit=1", "limit=500", "after=made-up", "messageId=%00", "messageId=%F0%9F%98%80", ""])(
    "takes %j",
    async (query) => {
      expect((await createRig().get(`/api/deliveries?${query}`)).status).toBe(200);
    },
  );

  it("answers any query with a list or a refusal", async () => {
    const rig = createRig();
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.webQueryParameters(), fc.string()), async (query) => {
        const told = await rig.send(request("GET", "/api/deliveries", { query, headers: BEARER }));
        expect([200, 400]).toContain(told.status);
      }),
    );
  });
});

describe("GET /api/deliveries/ID", () => {
  it("adds the message and the attempts, oldest first", async () => {
    const rig = createRig({
      script: ({ index }) =>
        index === 0
          ? { kind: "answers", status: 503, afterMs: 20, excerpt: new TextEncoder().encode("try later") }
          : { kind: "answers", status: 204 },
    });
    const id = await rig.track({ messageId: "m1", properties: { b: 1, a: 2 } });
    await rig.clock.advance(20_000);
    const { status, body } = await rig.get(`/api/deliveries/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      state: "delivered",
      attemptCount: 2,
      message: { type: "track", messageId: "m1", properties: { b: 1, a: 2 } },
      attempts: [
        {
          round: 1,
          endpoint: "https://example.com/hook",
          startedAt: NOW,
          durationMs: 20,
          status: 503,
          fault: null,
          verdict: "retry",
          excerpt: "try later",
        },
        { round: 2, durationMs: 0, status: 204, fault: null, verdict: "success", excerpt: null },
      ],
    });
    expect(Object.keys(body as object)).toEqual([...LIST_KEYS, "message", "attempts", "lapses"]);
  });

  it("names a fault where no status came", async () => {
    const rig = createRig({ script: () => ({ kind: "fails", fault: "self-signed" }) });
    const { body } = await rig.get(`/api/deliveries/${await rig.track()}`);
    expect(body).toMatchObject({
      state: "waiting",
      reason: null,
      detail: "self-signed",
      attempts: [{ status: null, fault: "self-signed", verdict: "refused", excerpt: null }],
    });
  });

  it("shows an excerpt only with the latest failed answer of its endpoint, and mends broken bytes", async () => {
    const rig = createRig({
      script: ({ index }) => {
        const excerpt = Buffer.concat([Buffer.from(String(index)), Buffer.from([0xff])]);
        return index < 3 ? { kind: "answers", status: 500, excerpt } : { kind: "hangs" };
      },
    });
    const id = await rig.track();
    const excerpts = async (): Promise<unknown> => {
      const { body } = await rig.get(`/api/deliveries/${id}`);
      return (body as { attempts: { excerpt: string | null }[] }).attempts.map(({ excerpt }) => excerpt);
    };
    await rig.clock.advance(40_000);
    expect(await excerpts()).toEqual([null, null, "2\uFFFD"]);
    await rig.clock.advance(100_000);
    expect(await excerpts()).toEqual(expect.arrayContaining([null, null, null, null]));
  });

  it("shows an excerpt with the answer of the latest round, also where a clock that was set back puts it first", async () => {
    const rig = createRig({
      script: ({ index }) => ({ kind: "answers", status: 500, excerpt: new TextEncoder().encode(String(index)) }),
    });
    const id = await rig.track();
    rig.clock.stepWall(-3_600_000);
    await rig.clock.advance(60_000);
    const { attempts } = (await rig.get(`/api/deliveries/${id}`)).body as {
      readonly attempts: readonly { readonly round: number; readonly excerpt: string | null }[];
    };
    expect(attempts.at(-1)).toMatchObject({ round: 1, excerpt: null });
    const last = attempts.length - 1;
    expect(attempts.filter(({ excerpt }) => excerpt !== null)).toMatchObject([
      { round: last + 1, excerpt: String(last) },
    ]);
  });

  it("shows an excerpt with the answer that it came from, not with the silence after it", async () => {
    const [slow, quick] = ["https://example.com/slow", "https://example.com/quick"];
    const rig = createRig({
      workspace: workspace({
        destinations: [destination({ endpoints: [slow, quick].map((url) => ({ url, headers: [] })) })],
      }),
      script: ({ url, index }) => {
        if (index === 0) return { kind: "answers", status: 503, excerpt: Buffer.from("busy") };
        return url === slow ? { kind: "hangs" } : { kind: "answers", status: 200 };
      },
    });
    const id = await rig.track();
    await rig.clock.advance(20_000);
    expect((await rig.get(`/api/deliveries/${id}`)).body).toMatchObject({
      state: "delivered",
      attempts: [
        { endpoint: quick, round: 1, status: 503, excerpt: "busy" },
        { endpoint: slow, round: 1, status: 503, excerpt: "busy" },
        { endpoint: quick, round: 2, status: 200, excerpt: null },
        { endpoint: slow, round: 2, fault: "timeout", excerpt: null },
      ],
    });
  });

  it("shows an excerpt with its own answer, not with a failed answer that came after the success", async () => {
    const [slow, quick] = ["https://example.com/slow", "https://example.com/quick"];
    const rig = createRig({
      workspace: workspace({
        destinations: [destination({ endpoints: [slow, quick].map((url) => ({ url, headers: [] })) })],
      }),
      script: ({ url, index }) => {
        if (index === 0) return { kind: "answers", status: 503, excerpt: Buffer.from("busy") };
        if (url === quick) return { kind: "answers", status: 200, afterMs: 10 };
        return { kind: "answers", status: 503, afterMs: 20, excerpt: Buffer.from("late") };
      },
    });
    const id = await rig.track();
    await rig.clock.advance(20_000);
    expect((await rig.get(`/api/deliveries/${id}`)).body).toMatchObject({
      state: "delivered",
      attempts: [
        { endpoint: quick, round: 1, status: 503, excerpt: "busy" },
        { endpoint: slow, round: 1, status: 503, excerpt: "busy" },
        { endpoint: quick, round: 2, status: 200, excerpt: null },
        { endpoint: slow, round: 2, status: 503, excerpt: null },
      ],
    });
  });

  it("shows an excerpt with a failed answer that came before the success of its round", async () => {
    const [slow, quick] = ["https://example.com/slow", "https://example.com/quick"];
    const rig = createRig({
      workspace: workspace({
        destinations: [destination({ endpoints: [slow, quick].map((url) => ({ url, headers: [] })) })],
      }),
      script: ({ url, index }) => {
        if (index === 0) return { kind: "answers", status: 503, excerpt: Buffer.from("busy") };
        if (url === slow) return { kind: "answers", status: 200, afterMs: 20 };
        return { kind: "answers", status: 503, afterMs: 10, excerpt: Buffer.from("still busy") };
      },
    });
    const id = await rig.track();
    await rig.clock.advance(20_000);
    expect((await rig.get(`/api/deliveries/${id}`)).body).toMatchObject({
      state: "delivered",
      attempts: [
        { endpoint: quick, round: 1, status: 503, excerpt: null },
        { endpoint: slow, round: 1, status: 503, excerpt: "busy" },
        { endpoint: quick, round: 2, status: 503, excerpt: "still busy" },
        { endpoint: slow, round: 2, status: 200, excerpt: null },
      ],
    });
  });

  it("is not found for an id that is not there", async () => {
    for (const id of ["nothing", "0", "%20", "__proto__"]) {
      const told = await createRig().get(`/api/deliveries/${id}`);
      expect(told).toMatchObject({ status: 404, body: { error: { code: "not-found" } } });
    }
  });
});

describe("what no answer shows", () => {
  it("are secrets, write keys, the token, and the values in an endpoint's query", async () => {
    const secretive = destination({
      id: "crm" as DestinationId,
      sources: [{ source: "website" as SourceId, mode: "cloud" }],
      endpoints: [
        { url: "https://example.com/hook?key=CANARY1&CANARY2&b=CANARY3", headers: [["Authorization", "CANARY4"]] },
      ],
      secrets: [createSecret("CANARY5")],
    });
    const rig = createRig({
      workspace: workspace({ destinations: [secretive] }),
      script: () => ({ kind: "answers", status: 404 }),
    });
    const id = await rig.track({ writeKey: WRITE_KEY });
    const told = [
      await rig.get("/api/stats"),
      await rig.get("/api/deliveries"),
      await rig.get(`/api/deliveries/${id}`),
      await rig.post(`/api/deliveries/${id}/replay`),
      await rig.post("/api/replay", { destination: "crm" }),
      await rig.get("/healthz"),
    ];
    const text = JSON.stringify(told);
    for (const hidden of ["CANARY", WRITE_KEY, TOKEN]) expect(text).not.toContain(hidden);
    expect(told[2]!.body).toMatchObject({ attempts: [{ endpoint: "https://example.com/hook?key=***&***&b=***" }] });
  });
});

describe("GET /api/deliveries/count", () => {
  /** A relay whose store says of each page that it has `size` deliveries, and that there is a next one. */
  function endless(size: number) {
    let pages = 0;
    const rig = createRig({
      wrap: (store) => ({
        ...store,
        list: async (query) => {
          pages += 1;
          const { deliveries } = await store.list({ limit: 1 });
          return { deliveries: Array.from({ length: Math.min(size, query.limit) }, () => deliveries[0]!), next: "on" };
        },
      }),
    });
    return { rig, pages: () => pages };
  }

  it("stops at 10,000 deliveries, and says that there may be more", async () => {
    const { rig, pages } = endless(500);
    await rig.track();
    expect((await rig.get("/api/deliveries/count")).body).toEqual({ count: 10_000, more: true });
    expect(pages()).toBe(20);
  });

  it("stops after 50 pages in which little matches", async () => {
    const { rig, pages } = endless(0);
    expect((await rig.get("/api/deliveries/count?state=dead")).body).toEqual({ count: 0, more: true });
    expect(pages()).toBe(50);
  });

  it("refuses what is no filter, such as the place and the size of a page", async () => {
    for (const name of ["limit", "after", "stat"])
      expect(await createRig().get(`/api/deliveries/count?${name}=1`)).toMatchObject({
        status: 400,
        body: { error: { code: "bad-query", path: name } },
      });
  });
});
