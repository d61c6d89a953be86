import type { DeliveryId, DeliveryStore } from "@postrider/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../property.js";
import { request } from "../http/request.js";
import { workspace } from "../ingest/world.js";
import { BEARER, type Rig, createRig } from "./rig.js";

/** Answers 422 until `from` requests have come. */
function deadUntil(from: number): Parameters<typeof createRig>[0] {
  return { script: ({ index }) => ({ kind: "answers", status: index < from ? 422 : 200 }) };
}

/** A store that has lost the bodies. */
function purged(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    find: async (id) => {
      const record = await store.find(id);
      if (record !== undefined) Reflect.deleteProperty(record, "body");
      return record;
    },
  };
}

async function stateOf(rig: Rig, id: DeliveryId): Promise<unknown> {
  return (await rig.get(`/api/deliveries/${id}`)).body;
}

describe("POST /api/deliveries/ID/replay", () => {
  it("delivers a dead one again, under a new id", async () => {
    const rig = createRig(deadUntil(1));
    const id = await rig.track({ messageId: "m1" });
    const told = await rig.post(`/api/deliveries/${id}/replay`);
    expect(told).toMatchObject({ status: 202, body: { id: expect.any(String) } });
    await rig.clock.settle();
    const { id: again } = told.body as { readonly id: DeliveryId };
    expect(await stateOf(rig, again)).toMatchObject({ state: "delivered", replayOf: id, messageId: "m1" });
    const [first, second] = rig.requests();
    expect(second?.body).toEqual(first?.body);
  });

  it("delivers a delivered one again", async () => {
    const rig = createRig();
    const id = await rig.track();
    expect((await rig.post(`/api/deliveries/${id}/replay`)).status).toBe(202);
  });

  it("is refused while the delivery is unfinished", async () => {
    const rig = createRig({ script: () => ({ kind: "answers", status: 503 }) });
    const id = await rig.track();
    expect(await rig.post(`/api/deliveries/${id}/replay`)).toMatchObject({
      status: 409,
      body: { error: { code: "not-finished" } },
    });
  });

  it("is refused without a body to deliver", async () => {
    const rig = createRig({ wrap: purged });
    const id = await rig.track();
    expect(await stateOf(rig, id)).toMatchObject({ message: null });
    expect(await rig.post(`/api/deliveries/${id}/replay`)).toMatchObject({
      status: 409,
      body: { error: { code: "purged" } },
    });
  });

  it("is refused for a removed destination", async () => {
    const rig = createRig();
    const id = await rig.track();
    rig.relay.configure(workspace({ destinations: [] }))._unsafeUnwrap();
    expect(await rig.post(`/api/deliveries/${id}/replay`)).toMatchObject({
      status: 409,
      body: { error: { code: "destination-removed" } },
    });
  });

  it("answers 404 for a delivery that does not exist", async () => {
    expect(await createRig().post("/api/deliveries/none/replay")).toMatchObject({
      status: 404,
      body: { error: { code: "not-found" } },
    });
  });
});

describe("POST /api/replay", () => {
  it("continues where the previous request ended", async () => {
    const rig = createRig(deadUntil(5));
    for (let index = 0; index < 5; index += 1) await rig.track();
    const asked: unknown[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      const { status, body } = await rig.post("/api/replay", { destination: "crm", limit: 2 });
      asked.push([status, body]);
      await rig.clock.settle();
    }
    expect(asked).toEqual([
      [202, { replayed: 2, more: true }],
      [202, { replayed: 2, more: true }],
      [202, { replayed: 1, more: false }],
      [202, { replayed: 0, more: false }],
    ]);
    expect(rig.requests()).toHaveLength(10);
  });

  it("selects by reason and by time of acceptance, from `since` up to but not at `until`", async () => {
    const rig = createRig(deadUntil(3));
    for (let index = 0; index < 3; index += 1) {
      await rig.track();
      await rig.clock.advance(1_000);
    }
    const span = { since: "2026-01-01T00:00:01Z", until: "2026-01-01T00:00:02Z" };
    const none = await rig.post("/api/replay", { destination: "crm", reason: "expired", ...span });
    expect(none).toMatchObject({ status: 202, body: { replayed: 0 } });
    const one = await rig.post("/api/replay", { destination: "crm", reason: "refused", ...span });
    expect(one).toMatchObject({ status: 202, body: { replayed: 1, more: false } });
  });

  it("reads null as absent", async () => {
    const body = { destination: "crm", reason: null, since: null, until: null, limit: null };
    expect(await createRig().post("/api/replay", body)).toMatchObject({
      status: 202,
      body: { replayed: 0, more: false },
    });
  });

  it("is refused for a destination that is not in the settings", async () => {
    expect(await createRig().post("/api/replay", { destination: "none" })).toMatchObject({
      status: 409,
      body: { error: { code: "destination-removed" } },
    });
  });

  it.each([
    ["a list", [], ""],
    ["null", null, ""],
    ["no destination", {}, "destination"],
    ["a destination that is no text", { destination: 1 }, "destination"],
    ["an empty destination", { destination: "" }, "destination"],
    ["a reason that does not exist", { destination: "crm", reason: "bored" }, "reason"],
    ["a time that is none", { destination: "crm", since: "yesterday" }, "since"],
    ["a time as a number", { destination: "crm", until: 1_767_225_600_000 }, "until"],
    ["a limit of 0", { destination: "crm", limit: 0 }, "limit"],
    ["a limit over 10,000", { destination: "crm", limit: 10_001 }, "limit"],
    ["a limit that is no whole number", { destination: "crm", limit: 1.5 }, "limit"],
    ["a field that does not exist", { destination: "crm", state: "dead" }, "state"],
  ])("refuses %s", async (_, body, path) => {
    expect(await createRig().post("/api/replay", body)).toMatchObject({
      status: 400,
      body: { success: false, error: { code: "bad-replay", path } },
    });
  });

  it("refuses a body that is not JSON or is too long", async () => {
    const rig = createRig();
    const broken = request("POST", "/api/replay", { bytes: Buffer.from("{"), headers: BEARER });
    expect(await rig.send(broken)).toMatchObject({ status: 400, body: { error: { code: "bad-json" } } });
    const long = { ...broken, body: { kind: "too-large" } } as const;
    expect(await rig.send(long)).toMatchObject({ status: 413, body: { error: { code: "too-large" } } });
  });

  it("answers any body, and shows nothing of it except names", async () => {
    const rig = createRig();
    const value = fc.oneof(fc.constantFrom("CANARY", ["CANARY"], { a: "CANARY" }), fc.jsonValue());
    const field = fc.constantFrom("destination", "reason", "since", "until", "limit", "other");
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.dictionary(field, value), value), async (body) => {
        const told = await rig.post("/api/replay", body);
        expect([202, 400, 409]).toContain(told.status);
        expect(JSON.stringify(told.body)).not.toContain("CANARY");
      }),
    );
  });
});
