import type { DeliveryStore } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { post as callPost } from "../ingest/requests.js";
import { type Rig, createRig } from "./rig.js";

interface Shown {
  readonly id: string;
  readonly state: string;
}

async function requested(rig: Rig, body: object): Promise<string> {
  const told = await rig.post("/api/deletions", body);
  expect(told).toMatchObject({ status: 202, body: { id: expect.any(String) } });
  await rig.clock.settle();
  return (told.body as { readonly id: string }).id;
}

async function stats(rig: Rig): Promise<unknown> {
  return (await rig.get("/api/stats")).body;
}

/** A store without support for users. */
function withoutUsers({ deletions: _, ...store }: DeliveryStore): DeliveryStore {
  return store;
}

describe("POST /api/deletions", () => {
  it("purges waiting deliveries and notifies the receivers, once for each user and source", async () => {
    const rig = createRig({ script: ({ index }) => ({ kind: "answers", status: index === 0 ? 503 : 200 }) });
    await rig.track({ userId: "u1" });
    const id = await requested(rig, { userIds: ["u1", "u1"], regulation: "delete-only" });
    await rig.clock.advance(30_000);
    expect((await rig.get(`/api/deletions/${id}`)).body).toMatchObject({
      state: "finished",
      users: 1,
      notified: 1,
      purged: 1,
      sources: null,
      finishedAt: expect.any(String),
      notices: [{ source: "website", stored: 1, open: 0, delivered: 1, dead: 0 }],
    });
    expect(rig.messages().map(({ type }) => type)).toEqual(["track", "delete"]);
  });

  it("is finished only once all receivers have their notices", async () => {
    const rig = createRig({ script: ({ index }) => ({ kind: "answers", status: index === 1 ? 503 : 200 }) });
    await rig.track({ userId: "u1" });
    const id = await requested(rig, { userIds: ["u1"], regulation: "delete-only" });
    await rig.clock.advance(1_000);
    expect((await rig.get(`/api/deletions/${id}`)).body).toMatchObject({
      state: "delivering",
      finishedAt: expect.any(String),
      notices: [{ stored: 1, open: 1, delivered: 0, dead: 0 }],
    });
    await rig.clock.advance(30_000);
    expect((await rig.get(`/api/deletions/${id}`)).body).toMatchObject({ state: "finished" });
  });

  it("ends as undelivered if a notice is dead", async () => {
    const rig = createRig({ script: ({ index }) => ({ kind: "answers", status: index === 1 ? 413 : 200 }) });
    await rig.track({ userId: "u1" });
    const id = await requested(rig, { userIds: ["u1"], regulation: "delete-only" });
    await rig.clock.advance(1_000);
    expect((await rig.get(`/api/deletions/${id}`)).body).toMatchObject({
      state: "undelivered",
      notices: [{ stored: 1, open: 0, delivered: 0, dead: 1 }],
    });
  });

  it("stores nothing of the calls of suppressed users, until the suppression ends", async () => {
    const rig = createRig();
    const call = (): Promise<unknown> => rig.ingest(callPost("/v1/track", { userId: "u1", event: "A" }));
    await requested(rig, { userIds: ["u1"], regulation: "suppress-only" });
    expect(await call()).toMatchObject({ status: 200 });
    expect(await stats(rig)).toMatchObject({ accepted: 0, suppressed: 1 });
    expect((await rig.get("/api/suppressed")).body).toEqual({ userIds: ["u1"], next: null });
    await requested(rig, { userIds: ["u1"], regulation: "unsuppress" });
    await call();
    await rig.clock.settle();
    expect(rig.messages()).toHaveLength(1);
  });

  it.each([
    ["no users", { userIds: [] }, "userIds"],
    ["an id that is empty", { userIds: ["a", ""] }, "userIds[1]"],
    ["users that are no texts", { userIds: [1] }, "userIds"],
    ["too many users", { userIds: Array.from({ length: 5_001 }, (_, index) => String(index)) }, "userIds"],
    ["no regulation", { regulation: undefined }, "regulation"],
    ["a regulation that is none", { regulation: "forget" }, "regulation"],
    ["a source that is not there", { sources: ["website", "none"] }, "sources[1]"],
    ["an unknown field", { users: [] }, "users"],
  ])("is refused for %s, with the path of the problem", async (_, changes, path) => {
    const rig = createRig();
    const body = { userIds: ["u1"], regulation: "delete-only", ...changes };
    expect(await rig.post("/api/deletions", body)).toMatchObject({
      status: 400,
      body: { error: { code: "bad-deletion", path, message: expect.stringMatching(/: expected ./) } },
    });
    expect((await rig.get("/api/deletions")).body).toEqual({ deletions: [], next: null });
  });

  it("is refused if the store does not support users", async () => {
    const rig = createRig({ wrap: withoutUsers });
    const told = await rig.post("/api/deletions", { userIds: ["u1"], regulation: "delete-only" });
    expect(told).toMatchObject({ status: 501, body: { error: { code: "not-supported" } } });
  });

  it.each(["busy", "full", "unavailable", "corrupt"])("answers 503 if the store is %s", async (code) => {
    const fail = (): Promise<never> => Promise.reject(Object.assign(new Error("no"), { code }));
    const wrap = (store: DeliveryStore): DeliveryStore => ({
      ...store,
      ...(store.deletions === undefined ? {} : { deletions: { ...store.deletions, open: fail } }),
    });
    const rig = createRig({ wrap });
    const told = rig.post("/api/deletions", { userIds: ["u1"], regulation: "delete-only" });
    await rig.clock.advance(60_000);
    expect(await told).toMatchObject({ status: 503, body: { error: { code: "store-unavailable" } } });
  });
});

describe("GET /api/deletions", () => {
  it("shows requests page by page, newest first, without their user ids", async () => {
    const rig = createRig();
    const ids: string[] = [];
    for (const userId of ["canary-a", "canary-b", "canary-c"]) {
      ids.unshift(await requested(rig, { userIds: [userId], regulation: "delete-only" }));
      await rig.clock.advance(1_000);
    }
    const first = (await rig.get("/api/deletions?limit=2")).body as { deletions: readonly Shown[]; next: string };
    const second = (await rig.get(`/api/deletions?limit=2&after=${first.next}`)).body as typeof first;
    expect([...first.deletions, ...second.deletions].map(({ id }) => id)).toEqual(ids);
    expect(second.next).toBeNull();
    expect(JSON.stringify([first, second])).not.toContain("canary");
  });

  it("may leave out finished requests", async () => {
    const rig = createRig();
    await requested(rig, { userIds: ["u1"], regulation: "unsuppress" });
    await rig.clock.advance(60_000);
    expect((await rig.get("/api/deletions?unfinished=true")).body).toEqual({ deletions: [], next: null });
  });

  it.each(["unfinished=no", "limit=0", "state=finished"])("is refused for %s", async (query) => {
    expect(await createRig().get(`/api/deletions?${query}`)).toMatchObject({ status: 400 });
  });

  it("answers 404 for a request that does not exist", async () => {
    expect(await createRig().get("/api/deletions/none")).toMatchObject({ status: 404 });
  });
});

describe("GET /api/suppressed", () => {
  it("lists all of them, page by page", async () => {
    const rig = createRig();
    await requested(rig, { userIds: ["c", "a", "b"], regulation: "suppress-with-delete" });
    expect((await rig.get("/api/suppressed?limit=2")).body).toEqual({ userIds: ["a", "b"], next: "b" });
    expect((await rig.get("/api/suppressed?limit=2&after=b")).body).toEqual({ userIds: ["c"], next: null });
    expect(await rig.get("/api/suppressed?limit=5001")).toMatchObject({ status: 400 });
  });
});
