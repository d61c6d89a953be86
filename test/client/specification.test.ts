// A walk through the specification of the calling library, section by section: each test is a row of it, shown by the built
// package against the real service. Its sections 3 and 6 are empty, and 9 is about the library of another language.

import type { ClientOptions } from "@postrider/client";
import { beforeAll, describe, expect, it } from "vitest";
import { SHOP_KEY, WRITE_KEY } from "../canary.js";
import { queuedId } from "./rig.js";
import { createClient, createService, deliver, type Kind, KINDS, make, type Service } from "./service.js";

const WITH_IDS = KINDS.filter((kind) => kind !== "alias");

let service: Service;
beforeAll(async () => {
  service = await createService();
  return () => service.close();
});

describe("1. What the service does", () => {
  it("With a call of each kind, the client queues it and takes all to the service in one request", async () => {
    const { client, requests } = service.createRig();
    for (const kind of KINDS) queuedId(make(client, kind));
    expect(requests()).toEqual([]);
    await deliver(client);
    expect(requests().map(({ batch }) => batch.map(({ type }) => type))).toEqual([KINDS]);
  });

  it("With a call in each of 60 requests to a web server, the client makes three requests", async () => {
    const { client, requests } = service.createRig();
    await service.behindServer(60, () => queuedId(make(client, "track")));
    await deliver(client);
    expect(requests().map(({ batch }) => batch.length)).toEqual([20, 20, 20]);
  });

  it.each(KINDS)("With %s, the client names itself and its version in the context", async (kind) => {
    const library = { name: "@postrider/client", version: expect.stringMatching(/^\d+\.\d+\.\d+/) };
    expect(await service.receivedOf(kind, {})).toMatchObject({ CRM: { context: { library } } });
  });

  it("With a second identify, made when traits change, the client delivers both", async () => {
    for (const traits of [{ plan: "free" }, { plan: "pro" }]) {
      expect(await service.receivedOf("identify", { traits })).toMatchObject({ CRM: { userId: "u1", traits } });
    }
  });
});

describe("2.1 Client", () => {
  it.each(["size", "flushAt"])("With a %s of 3, the client flushes with each third queued call", async (name) => {
    expect(await service.batchesOf({ [name]: 3, calls: 6 })).toEqual(["3 at 0", "3 at 0"]);
  });

  it.each(["size", "flushAt"])("With a %s of 1, the client sends each call by itself", async (name) => {
    expect(await service.batchesOf({ [name]: 1, calls: 3 })).toEqual(["1 at 0", "1 at 0", "1 at 0"]);
  });

  it("With neither size nor flushAt, the client flushes with each 20th queued call", async () => {
    expect(await service.batchesOf({ calls: 40 })).toEqual(["20 at 0", "20 at 0"]);
  });

  it("With no flushAfterMs, the client flushes 5 seconds after the last flush, or the first queued call", async () => {
    expect(await service.batchesOf({ calls: 1, steps: [5_000] })).toEqual(["1 at 5000"]);
    expect(await service.batchesOf({ calls: 21, steps: [5_000] })).toEqual(["20 at 0", "1 at 5000"]);
  });

  it("With a flushAfterMs of 7 seconds, the client flushes after these", async () => {
    expect(await service.batchesOf({ flushAfterMs: 7_000, calls: 1, steps: [5_000, 2_000] })).toEqual(["1 at 7000"]);
  });

  it.each(["", "/", "/a/path"])("With an endpoint that ends in '%s', the client sends below it", async (end) => {
    const { client, requests } = service.createRig({ endpoint: service.url + end });
    queuedId(make(client, "track"));
    await client.close();
    expect(requests().map(({ line }) => line)).toEqual([`POST ${end.replace(/\/$/, "")}/v1/batch`]);
  });
});

describe("2.2 Messages", () => {
  it.each<[Kind, string, object, object?]>([
    ["identify", "UserId", { userId: "u2" }],
    ["identify", "Traits", { traits: { plan: "pro" } }],
    ["track", "Event", { event: "Ordered" }],
    ["track", "UserId", { userId: "u2" }],
    ["track", "Properties", { properties: { price: 1.5, a: { b: [1, null] } } }],
    ["page", "UserId", { userId: "u2" }],
    ["page", "Category", { category: "Docs" }],
    ["page", "Name", { name: "Home" }],
    ["page", "Timestamp", { timestamp: "2026-01-31T12:00:00Z" }, { originalTimestamp: "2026-01-31T12:00:00.000Z" }],
    ["page", "Context", { context: { ip: "203.0.113.7" } }],
    ["page", "AnonymousId", { anonymousId: "a1" }],
    ["group", "UserId", { userId: "u2" }],
    ["group", "GroupId", { groupId: "g2" }],
    ["group", "Traits", { traits: { size: 3 } }],
    ["alias", "UserId", { userId: "u2" }, { "User ID": "u2" }],
    ["alias", "PreviousId", { previousId: "a2" }, { "Previous ID": "a2" }],
  ])("With %s and its %s, the client delivers this field", async (kind, _, fields, body = fields) => {
    expect(await service.receivedOf(kind, fields)).toMatchObject({ CRM: { type: kind, ...body } });
  });

  it("With page and its Traits, the client makes url, title, referrer, path and others its properties", async () => {
    const traits = { url: "https://a.example/b", title: "A", referrer: "https://c.example", path: "/b", other: 1 };
    const { CRM } = await service.receivedOf("page", { traits });
    expect(CRM).toMatchObject({ properties: traits });
    expect(CRM).not.toHaveProperty("traits");
  });

  it.each(WITH_IDS)("With an anonymousId instead of a userId in %s, the client delivers it", async (kind) => {
    const ids = { userId: undefined, anonymousId: "a1" };
    expect(await service.receivedOf(kind, ids)).toMatchObject({ CRM: { anonymousId: "a1" } });
  });

  it.each([
    ...WITH_IDS.map((kind) => [kind, "userId", "no-ids"] as const),
    ["track", "event", "no-event"],
    ["group", "groupId", "no-group-id"],
    ["alias", "userId", "no-user-id"],
    ["alias", "previousId", "no-previous-id"],
  ] as const)("With %s without its %s, the client refuses the call as %s", (kind, field, code) => {
    const { client } = service.createRig();
    expect(make(client, kind, { [field]: undefined })).toMatchObject({ kind: "refused", code });
  });

  it.each(KINDS)("With integrations and a timestamp in %s, the client passes both on", async (kind) => {
    const bodies = await service.receivedOf(kind, { integrations: { Mail: false }, timestamp: "2020-01-31T12:00:00Z" });
    expect(bodies).toEqual({ CRM: expect.objectContaining({ originalTimestamp: "2020-01-31T12:00:00.000Z" }) });
  });
});

describe("2.3 Destination selection", () => {
  it.each([
    [undefined, ["Archive", "CRM", "Mail"]],
    [{ CRM: false }, ["Archive", "Mail"]],
    [{ CRM: true }, ["Archive", "CRM", "Mail"]],
    [{ crm: false }, ["Archive", "CRM", "Mail"]],
    [{ All: false }, []],
    [{ All: false, CRM: true }, ["CRM"]],
    [{ All: false, crm: true, Mail: true }, ["Mail"]],
    [{ All: true, Mail: false }, ["Archive", "CRM"]],
  ])("With the integrations %j, the client reaches %j", async (integrations, destinations) => {
    expect(Object.keys(await service.receivedOf("track", { integrations })).toSorted()).toEqual(destinations);
  });
});

describe("2.4 Timestamps and historical import", () => {
  it.each(KINDS)("With a timestamp in %s, the client keeps it, but for the error of its clock", async (kind) => {
    const given = new Date("2026-01-31T12:00:00Z");
    const { CRM } = await service.receivedOf(kind, { timestamp: given });
    const { timestamp, originalTimestamp, sentAt, receivedAt } = CRM!;
    const error = Date.parse(receivedAt as string) - Date.parse(sentAt as string);
    expect(originalTimestamp).toBe(given.toISOString());
    expect(timestamp).toBe(new Date(given.getTime() + error).toISOString());
  });

  it.each(KINDS)("With no timestamp in %s, the client lets the service stamp the call with its time", async (kind) => {
    const { client } = service.createRig();
    const messageId = queuedId(make(client, kind));
    await deliver(client);
    const { timestamp, receivedAt } = (await service.bodiesOf(messageId))["CRM"]!;
    expect(timestamp).toBe(receivedAt);
  });

  it("With a historical timestamp, the client reaches only the destinations that take such calls", async () => {
    const bodies = await service.receivedOf("track", { timestamp: "2020-01-31T12:00:00Z" });
    expect(Object.keys(bodies).toSorted()).toEqual(["CRM", "Mail"]);
  });
});

describe("4. Endpoints", () => {
  it.each(KINDS)("With %s, the client answers that the call is queued, and under which messageId", (kind) => {
    const queued = { kind: "ok", messageId: expect.stringMatching(/^[\da-f-]{36}$/) };
    expect(make(service.createRig().client, kind)).toEqual(queued);
  });

  it("With DEBUG=analytics in the environment, the client logs what it does; without it, nothing", async () => {
    const [logging, silent] = await Promise.all([service.play("analytics"), service.play("")]);
    expect([logging.stdout, silent.stdout]).toEqual(Array(2).fill('{"undelivered":[]}\n'));
    const codes = [...logging.stderr.matchAll(/^analytics debug \{"code":"([\w-]+)"/gm)].map(([, code]) => code);
    expect(codes).toEqual(["batch-sent", "batch-taken", "closed"]);
    expect(silent.stderr).toBe("");
  });
});

describe("5. Authentication", () => {
  it("With the write key of a source, the client shows it as the user of Basic authorization", async () => {
    const { client, requests } = service.createRig();
    queuedId(make(client, "track"));
    await deliver(client);
    expect(requests().map(({ authorization }) => authorization)).toEqual([`Basic ${btoa(`${WRITE_KEY}:`)}`]);
    expect(await service.latestCall()).toMatchObject({ outcome: "accepted", source: "website" });
  });

  it("With the key of no source, the client reports the call as refused for this reason", async () => {
    const client = createClient(SHOP_KEY, { endpoint: service.url });
    queuedId(make(client, "track"));
    expect(await client.close()).toMatchObject({ undelivered: [{ reason: "refused", code: "unknown-key" }] });
  });
});

describe("7. Errors", () => {
  it("With a setup without key and endpoint, the client is not created, and the error names both", () => {
    expect(() => createClient("", {} as ClientOptions)).toThrow(/writeKey.*endpoint/s);
  });

  it("With a call that it refuses, the client says why and where, and logs it without its content", () => {
    const log: unknown[] = [];
    const { client } = service.createRig({ logger: { log: (...line) => log.push(line) } });
    const refused = { kind: "refused", code: "no-event", path: "event", message: "You must pass 'event'." };
    expect(make(client, "track", { event: undefined })).toEqual(refused);
    expect(log).toEqual([["warning", { code: "call-refused", detail: "no-event" }]]);
  });

  it("With an endpoint where nothing answers, the client reports the call as failed for this reason", async () => {
    const { client } = service.createRig({ endpoint: "http://127.0.0.1:9", maxRetries: 0 });
    queuedId(make(client, "track"));
    expect(await client.close()).toMatchObject({ undelivered: [{ reason: "retries-exhausted", code: "network" }] });
  });

  it("With a call that destinations did not get, the client's messageId leads to the service's reasons", async () => {
    const { client } = service.createRig();
    const integrations = { Mail: false };
    const messageId = queuedId(make(client, "track", { integrations, timestamp: "2020-01-31T12:00:00Z" }));
    await deliver(client);
    const reasons = ["mail integrations", "archive historical"];
    expect(await service.latestCall()).toMatchObject({ messageId, outcome: "accepted", reasons });
  });
});

describe("8. Limits", () => {
  it("With more than 500 KB of queued calls, the client sends them in batches of less", async () => {
    const { client, requests } = service.createRig({ flushAt: 100 });
    for (let n = 0; n < 40; n += 1) queuedId(make(client, "track", { properties: { text: "x".repeat(32_000) } }));
    await deliver(client);
    expect(requests().reduce((calls, { batch }) => calls + batch.length, 0)).toBe(40);
    expect(Math.max(...requests().map(({ bytes }) => bytes))).toBeLessThanOrEqual(500_000);
  });

  it("With a call of 32 KB, the client delivers it; with one of a byte more, it refuses the call", async () => {
    const lengths: number[] = [];
    const { client } = service.createRig({ onQueued: ({ json }) => lengths.push(json.length) });
    const call = (length: number) => make(client, "track", { properties: { text: "x".repeat(length) } });
    queuedId(call(0));
    const room = 32_768 - lengths[0]!;
    expect(call(room + 1)).toMatchObject({ kind: "refused", code: "too-large" });
    const messageId = queuedId(call(room));
    await deliver(client);
    expect((await service.bodiesOf(messageId))["CRM"]).toMatchObject({ properties: { text: "x".repeat(room) } });
  });

  it("With no other setting, the client flushes every 20 messages and every 5 seconds", async () => {
    expect(await service.batchesOf({ calls: 45, steps: [5_000] })).toEqual(["20 at 0", "20 at 0", "5 at 5000"]);
  });
});
