import type { DeliveryStore, SourceId, StoreErrorCode } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { createRig, CRM, destination, HOUR, storeError, track, url, WEBSITE } from "./rig.js";

/** A store whose commits fail with `code` until `until` commits have been tried. */
function failing(code: string, until = Infinity): (store: DeliveryStore) => DeliveryStore {
  let tried = 0;
  return (store) => ({
    ...store,
    commit: (changes, now) => {
      tried += 1;
      return tried > until ? store.commit(changes, now) : Promise.reject(storeError(code));
    },
  });
}

describe("accept", () => {
  it("answers a receipt for each call, in their order", async () => {
    const rig = createRig();
    const receipts = await rig.accept(
      track({ messageId: "m1" }),
      { type: "track", userId: "u1" },
      track({ messageId: "m1" }),
      "not a call",
      track({ messageId: "m2", integrations: { Webhooks: false } }),
    );

    expect(receipts).toMatchObject([
      { kind: "accepted", messageId: "m1", filtered: [] },
      { kind: "refused", refusal: { code: "no-event", path: "event" } },
      { kind: "duplicate", messageId: "m1" },
      { kind: "refused", refusal: { code: "not-an-object", path: "" } },
      { kind: "accepted", messageId: "m2", deliveries: [], filtered: [{ destination: CRM, reason: "integrations" }] },
    ]);
  });

  it("tells of whole numbers beyond 2^53 in the receipt and to observers, and delivers them as they were read", async () => {
    const rig = createRig();
    const id = JSON.parse("7615917337495251231") as number;
    const [receipt, plain] = await rig.accept(track({ messageId: "m1", properties: { id } }), track());
    expect(receipt).toMatchObject({
      kind: "accepted",
      warnings: [{ code: "imprecise-number", path: "properties.id" }],
    });
    expect(plain).not.toHaveProperty("warnings");
    const acceptedEvents = rig.events.filter(({ kind }) => kind === "accepted");
    expect(acceptedEvents.map((event) => ("warnings" in event ? event.warnings : []))).toEqual([
      [{ code: "imprecise-number", path: "properties.id" }],
      [],
    ]);
  });

  it("takes a call whose dates cannot be read as of now, and tells of each in the receipt", async () => {
    const rig = createRig();
    const odd = { messageId: "m1", timestamp: "03/04/2026", sentAt: "now" };
    expect(await rig.accept(track(odd), track({ timestamp: new Date(NaN) }))).toMatchObject([
      {
        kind: "accepted",
        warnings: [
          { code: "unread-date", path: "timestamp" },
          { code: "unread-date", path: "sentAt" },
        ],
      },
      { kind: "accepted", warnings: [{ code: "unread-date", path: "timestamp" }] },
    ]);
  });

  it("tells of the sentAt of a batch that cannot be read with each call that has none", async () => {
    const rig = createRig();
    const calls = [track(), track({ sentAt: "2026-01-01" })];
    const receipts = await rig.relay().accept({ source: WEBSITE, calls, shared: { isSentAtUnread: true } });
    expect(receipts._unsafeUnwrap().map((receipt) => "warnings" in receipt)).toEqual([true, false]);
  });

  it("takes a messageId once in 24 hours from one source", async () => {
    const rig = createRig({ relay: { pollMs: 60_000 } });
    await rig.accept(track({ messageId: "m1" }));
    await rig.advance(24 * HOUR - 1_000);
    expect(await rig.accept(track({ messageId: "m1" }))).toMatchObject([{ kind: "duplicate" }]);
    await rig.advance(24 * HOUR + 1_000);
    expect(await rig.accept(track({ messageId: "m1" }))).toMatchObject([{ kind: "accepted" }]);
  });

  it("answers which sources have accepted a messageId within 24 hours, and when", async () => {
    const rig = createRig();
    const seenAt = rig.clock.wall();
    await rig.accept(track({ messageId: "m1" }));
    const sighting = { source: WEBSITE, seenAt, deliveries: 1 };
    expect(await rig.answer(rig.relay().seen({ messageId: "m1" }))).toEqual([sighting]);
    expect(await rig.answer(rig.relay().seen({ messageId: "m2" }))).toEqual([]);
    await rig.advance(24 * HOUR + 1_000);
    expect(await rig.answer(rig.relay().seen({ messageId: "m1" }))).toEqual([]);
  });

  it("gives a call without a messageId a new one, and stamps its time once", async () => {
    const rig = createRig();
    const [receipt] = await rig.accept(track());
    await rig.advance(10);
    const message = JSON.parse(rig.seen[0]?.body ?? "") as Record<string, unknown>;
    expect(receipt).toMatchObject({ kind: "accepted", messageId: message["messageId"] });
    expect(message["messageId"]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(message["timestamp"]).toBe(message["receivedAt"]);
  });

  it("merges the fields that a batch shares into each call, whose own fields take precedence", async () => {
    const rig = createRig();
    const shared = { context: { library: "lib", ip: "1.2.3.4" }, integrations: { All: false } };
    const calls = [track({ context: { ip: "own" }, integrations: { Webhooks: true } }), track({ messageId: "other" })];
    const receipts = (await rig.relay().accept({ source: WEBSITE, calls, shared }))._unsafeUnwrap();
    await rig.advance(10);

    expect(receipts).toMatchObject([{ filtered: [] }, { filtered: [{ reason: "integrations" }] }]);
    expect(JSON.parse(rig.seen[0]?.body ?? "")).toMatchObject({ context: { library: "lib", ip: "own" } });
  });

  it("takes the kind from the arrival, and refuses a call that names another", async () => {
    const rig = createRig();
    const calls = [
      { userId: "u1", event: "E" },
      { type: "page", userId: "u1" },
    ];
    const receipts = (await rig.relay().accept({ source: WEBSITE, calls, kind: "track" }))._unsafeUnwrap();
    expect(receipts).toMatchObject([{ kind: "accepted" }, { kind: "refused", refusal: { code: "unknown-type" } }]);
  });

  it("refuses a call that JSON cannot carry, whatever objects a host gives", async () => {
    const rig = createRig();
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    const receipts = await rig.accept(
      track({ properties: { big: 1n } }),
      track({ properties: circular }),
      Object.defineProperty({ ...track() }, "properties", {
        enumerable: true,
        get: () => {
          throw new Error("no");
        },
      }),
      track({ properties: { text: "x".repeat(33_000) } }),
    );
    expect(receipts.map((receipt) => (receipt.kind === "refused" ? receipt.refusal.code : receipt.kind))).toEqual([
      "number-not-finite",
      "too-deep",
      "not-an-object",
      "too-large",
    ]);
  });

  it("counts a call without any connected destination as one filtered unit", async () => {
    const rig = createRig({ destinations: [destination("crm", ["a"], { sources: [] })] });
    const receipts = await rig.accept(track());
    expect(receipts).toMatchObject([{ kind: "accepted", filtered: [{ destination: null, reason: "no-destination" }] }]);
    expect((await rig.relay().stats())._unsafeUnwrap()).toMatchObject({ accepted: 1, filtered: 1 });
  });

  it("answers only once the store has committed", async () => {
    let finish: (() => void) | undefined;
    const rig = createRig({
      wrapStore: (store) => ({
        ...store,
        commit: async (changes, now) => {
          if (changes.accept.length > 0) await new Promise<void>((resolve) => (finish = resolve));
          return store.commit(changes, now);
        },
      }),
    });
    let isAnswered = false;
    const answer = rig
      .relay()
      .accept({ source: WEBSITE, calls: [track()] })
      .map(() => (isAnswered = true));
    await rig.advance(1_000);
    expect(isAnswered).toBe(false);
    finish?.();
    expect((await answer).isOk()).toBe(true);
    expect(isAnswered).toBe(true);
  });
});

describe("a store that cannot store a call", () => {
  it("busy for a moment is asked again, and the caller does not notice", async () => {
    const rig = createRig({ wrapStore: failing("busy", 3) });
    const answer = rig.relay().accept({ source: WEBSITE, calls: [track()] });
    await rig.advance(1_000);
    expect((await answer)._unsafeUnwrap()).toMatchObject([{ kind: "accepted" }]);
  });

  it.each(["busy", "full"])(
    "%s: calls that would have been accepted are shed, refused ones stay refused",
    async (code) => {
      const rig = createRig({ wrapStore: failing(code) });
      const answer = rig.relay().accept({ source: WEBSITE, calls: [track(), { type: "track" }] });
      await rig.advance(1_000);
      const receipts = (await answer)._unsafeUnwrap();
      expect(receipts).toMatchObject([{ kind: "shed" }, { kind: "refused" }]);
      expect((await rig.relay().stats())._unsafeUnwrap()).toMatchObject({ accepted: 0, shed: 1, refused: 1 });
    },
  );

  it.each<[string, StoreErrorCode]>([
    ["unavailable", "unavailable"],
    ["corrupt", "corrupt"],
    ["an unknown code", "unavailable"],
  ])("%s: the caller gets a fault, and health turns red", async (code, heard) => {
    const rig = createRig({ wrapStore: failing(code) });
    await rig.advance(100);
    const answer = await rig.relay().accept({ source: WEBSITE, calls: [track()] });
    expect(answer._unsafeUnwrapErr()).toEqual({ code: heard });
    expect(rig.relay().health()).toEqual({ kind: "unhealthy", reason: heard });
  });

  it("is healthy again once it answers, unless it was corrupt", async () => {
    const rig = createRig({ wrapStore: failing("unavailable", 1) });
    expect((await rig.relay().accept({ source: WEBSITE, calls: [track()] })).isErr()).toBe(true);
    await rig.accept(track());
    expect(rig.relay().health()).toEqual({ kind: "healthy" });

    const corrupt = createRig({ wrapStore: failing("corrupt", 1) });
    expect((await corrupt.relay().accept({ source: WEBSITE, calls: [track()] })).isErr()).toBe(true);
    const second = await corrupt.relay().accept({ source: WEBSITE, calls: [track()] });
    expect(second._unsafeUnwrapErr()).toEqual({ code: "corrupt" });
  });
});

describe("a full lane", () => {
  it("refuses no call: the unit is dead from the start, and can be replayed once there is room", async () => {
    const rig = createRig({
      receivers: { a: ({ at }) => ({ status: at - start < HOUR ? 503 : 200 }) },
      relay: { laneBounds: { maxDeliveries: 2, maxBytes: 1e9 } },
    });
    const start = rig.clock.wall();
    const receipts = await rig.accept(track(), track({ userId: "u2" }), track({ userId: "u3" }));
    expect(receipts.map((receipt) => receipt.kind)).toEqual(["accepted", "accepted", "accepted"]);
    const later = await rig.accept(track({ userId: "u4" }));
    expect(later.map((receipt) => receipt.kind)).toEqual(["accepted"]);
    expect((await rig.all())[0]).toMatchObject({ state: "dead", reason: "lane-full" });

    await rig.advance(3 * HOUR);
    const replayed = (await rig.relay().replayMany({ destination: CRM, reason: "lane-full" }))._unsafeUnwrap();
    expect(replayed.more).toBe(false);
    await rig.advance(1_000);
    expect((await rig.relay().stats())._unsafeUnwrap()).toMatchObject({ waiting: 0, claimed: 0 });
    expect(rig.seen.some((one) => one.body.includes("u4"))).toBe(true);
  });

  it("is reported for each delivery that it turns away, of a call and of a replay", async () => {
    const rig = createRig({
      receivers: { a: { status: 503 } },
      relay: { laneBounds: { maxDeliveries: 1, maxBytes: 1e9 } },
    });
    await rig.accept(track());
    await rig.accept(track({ userId: "u2" }));
    await rig.advance(1_000);
    const ofCall = (await rig.all()).find((one) => one.state === "dead")?.id;
    expect(ofCall).toBeDefined();
    const ofReplay = (await rig.relay().replay(ofCall!))._unsafeUnwrap();
    expect(ofReplay).not.toBe(ofCall);
    const died = rig.events.filter((event) => event.kind === "died");
    const turnedAway = {
      kind: "died",
      destination: CRM,
      source: WEBSITE,
      type: "track",
      rounds: 0,
      reason: "lane-full",
    };
    expect(died).toMatchObject([ofCall, ofReplay].map((delivery) => ({ ...turnedAway, delivery })));
  });
});

describe("two destinations", () => {
  it("each get a separate delivery of the same bytes", async () => {
    const rig = createRig({
      receivers: { a: { status: 200 }, b: { status: 422 } },
      destinations: [destination("crm", ["a"]), destination("mail", ["b"], { name: "Mail" })],
    });
    const [receipt] = await rig.accept(track());
    await rig.advance(100);
    expect(receipt?.kind === "accepted" ? receipt.deliveries : []).toHaveLength(2);
    expect((await rig.all()).map((one) => [one.destination, one.state])).toEqual([
      ["mail", "dead"],
      [CRM, "delivered"],
    ]);
    expect(rig.seen.map((one) => one.url).toSorted()).toEqual([url("a"), url("b")]);
  });

  it("count apart by source: equal ids of two sources are two calls", async () => {
    const rig = createRig();
    await rig.accept(track({ messageId: "m1" }));
    const otherReceipts = (
      await rig.relay().accept({ source: "shop" as SourceId, calls: [track({ messageId: "m1" })] })
    )._unsafeUnwrap();
    expect(otherReceipts).toMatchObject([{ kind: "accepted", filtered: [{ reason: "no-destination" }] }]);
  });
});
