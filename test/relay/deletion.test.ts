// The effect of requests to delete or to suppress users: on stored data, on rounds under way, on later calls, and on the
// notices to destinations.

import { REGULATIONS, type Regulation } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { CRM, destination, HOUR, storeError, track, WEBSITE } from "./rig.js";
import {
  ask,
  kinds,
  of,
  openRig,
  SHOP,
  sorted,
  states,
  switchable,
  callsHeard,
  withDeletions,
} from "./deletion-rig.js";

describe("a request about users", () => {
  it.each<
    readonly [Regulation, { readonly waiting: string; readonly notices: readonly string[]; readonly later: string }]
  >([
    ["delete-only", { waiting: "purged", notices: ["crm delete u1"], later: "accepted" }],
    ["suppress-with-delete", { waiting: "purged", notices: ["crm delete u1"], later: "suppressed" }],
    ["suppress-only", { waiting: "purged", notices: [], later: "suppressed" }],
    ["unsuppress", { waiting: "delivered", notices: [], later: "accepted" }],
  ])("to %s has the effects of its kind", async (regulation, { waiting, notices, later }) => {
    const crm = switchable();
    const rig = openRig({ receivers: { a: crm.receiver }, destinations: [destination("crm", ["a"])] });
    await rig.accept(track());
    await rig.advance(100);
    const from = rig.seen.length;
    crm.recover();
    const id = await ask(rig, { regulation });
    await rig.advance(HOUR);
    expect(callsHeard(rig, from).filter((one) => one.includes("delete"))).toEqual(notices);
    expect((await rig.all()).find(({ type }) => type === "track")?.reason ?? "delivered").toBe(waiting);
    expect(await kinds(rig, track())).toEqual([later]);
    expect(await rig.answer(rig.relay().deletion(id))).toMatchObject({
      regulation,
      users: 1,
      finishedAt: expect.any(Number),
    });
  });

  it("knows all kinds", () => {
    expect(REGULATIONS).toHaveLength(4);
  });

  it("affects only its users", async () => {
    const crm = switchable();
    const rig = openRig({ receivers: { a: crm.receiver }, destinations: [destination("crm", ["a"])] });
    await rig.accept(track(), track({ userId: "u2" }), track({ userId: undefined, anonymousId: "u1" }));
    await rig.advance(100);
    const from = rig.seen.length;
    crm.recover();
    await ask(rig);
    await rig.advance(HOUR);
    expect(sorted(callsHeard(rig, from))).toEqual(["crm delete u1", "crm track no user", "crm track u2"]);
    expect(await states(rig)).toContain("crm track purged without a body");
  });

  it("finds an alias by either of its ids", async () => {
    const rig = openRig({ receivers: { a: { status: 503 } }, destinations: [destination("crm", ["a"])] });
    const alias = (userId: string, previousId: string) => ({ type: "alias", userId, previousId });
    await rig.accept(alias("u1", "old"), alias("new", "u1"), alias("new", "old"));
    await rig.advance(100);
    await ask(rig, { regulation: "suppress-only" });
    await rig.advance(100);
    expect(await states(rig)).toEqual([
      "crm alias waiting",
      "crm alias purged without a body",
      "crm alias purged without a body",
    ]);
    expect(await kinds(rig, alias("u1", "x"), alias("x", "u1"), alias("x", "y"))).toEqual([
      "suppressed",
      "suppressed",
      "accepted",
    ]);
  });

  it("notifies every destination that is on, once for each of its sources", async () => {
    const rig = openRig();
    await ask(rig, { userIds: ["u1", "u2", "u1"] });
    await rig.advance(1_000);
    expect(rig.events.find(({ kind }) => kind === "deletion-requested")).toMatchObject({ users: 2 });
    expect(sorted(callsHeard(rig))).toEqual([
      "crm delete u1",
      "crm delete u1",
      "crm delete u2",
      "crm delete u2",
      "mail delete u1",
      "mail delete u2",
    ]);
    expect(sorted((await rig.all()).map(({ source }) => source))).toEqual([
      SHOP,
      SHOP,
      WEBSITE,
      WEBSITE,
      WEBSITE,
      WEBSITE,
    ]);
  });

  it("sends a notice of exactly three keys, with the time of the request", async () => {
    const rig = openRig({ destinations: [destination("crm", ["a"])] });
    await ask(rig);
    await rig.advance(1_000);
    expect(rig.seen.map(({ body }) => body)).toEqual([
      '{"type":"delete","userId":"u1","timestamp":"2026-01-01T00:00:00.000Z"}',
    ]);
  });

  it("limited to a source deletes and notifies only there", async () => {
    const crm = switchable();
    const rig = openRig({ receivers: { a: crm.receiver, b: crm.receiver } });
    await rig.accept(track());
    await rig.answer(rig.relay().accept({ source: SHOP, calls: [track()] }));
    await rig.advance(100);
    const from = rig.seen.length;
    crm.recover();
    await ask(rig, { sources: [SHOP] });
    await rig.advance(HOUR);
    expect(sorted(callsHeard(rig, from))).toEqual(["crm delete u1", "crm track u1", "mail track u1"]);
    expect((await rig.all()).find(({ reason }) => reason === "purged")).toMatchObject({ source: SHOP });
  });

  it("that suppresses does so for all sources, whichever receivers are notified", async () => {
    const rig = openRig({ receivers: { a: { status: 503 }, b: { status: 503 } } });
    await rig.accept(track());
    await rig.advance(100);
    await ask(rig, { regulation: "suppress-with-delete", sources: [SHOP] });
    await rig.advance(100);
    expect((await states(rig)).filter((one) => one.includes("track"))).toEqual([
      "mail track purged without a body",
      "crm track purged without a body",
    ]);
    expect(await kinds(rig, track())).toEqual(["suppressed"]);
  });

  it("notifies no destination that is off, and a paused one later", async () => {
    const crm = destination("crm", ["a"], of(WEBSITE));
    const mail = destination("mail", ["b"], of(WEBSITE));
    const rig = openRig({
      destinations: [
        { ...crm, paused: true },
        { ...mail, enabled: false },
      ],
    });
    await ask(rig);
    await rig.advance(HOUR);
    expect(callsHeard(rig)).toEqual([]);
    rig
      .relay()
      .configure(rig.workspace([crm, mail]))
      ._unsafeUnwrap();
    await rig.advance(1_000);
    expect(callsHeard(rig)).toEqual(["crm delete u1"]);
  });

  it("is finished if no destination is to be notified", async () => {
    const rig = openRig({ destinations: [] });
    const id = await ask(rig, { userIds: ["u1", "u2"] });
    await rig.advance(1_000);
    expect(await rig.answer(rig.relay().deletion(id))).toMatchObject({
      notified: 2,
      finishedAt: expect.any(Number),
    });
  });
});

describe("a stored delivery of a deleted user", () => {
  it("cannot be read before the purge has reached it", async () => {
    const crm = switchable();
    const rig = openRig({
      receivers: { a: crm.receiver },
      destinations: [destination("crm", ["a"])],
      wrapStore: withDeletions(() => ({ purge: () => Promise.reject(storeError("busy")) })),
    });
    await rig.accept(track());
    await rig.advance(100);
    const from = rig.seen.length;
    crm.recover();
    await ask(rig);
    await rig.advance(HOUR);
    expect(callsHeard(rig, from)).toEqual([]);
    expect(await rig.only()).toMatchObject({ state: "dead", reason: "purged" });
  });

  it("leaves its lane, which then has room for others", async () => {
    const rig = openRig({
      receivers: { a: { status: 503 } },
      destinations: [destination("crm", ["a"])],
      relay: { laneBounds: { maxDeliveries: 1, maxBytes: 1_000_000 } },
    });
    await rig.accept(track());
    await rig.advance(100);
    await ask(rig, { regulation: "suppress-only" });
    await rig.advance(2_000);
    await rig.accept(track({ userId: "u2" }));
    await rig.advance(100);
    expect(await states(rig)).toEqual(["crm track waiting", "crm track purged without a body"]);
  });

  it("cannot be replayed, from the moment of the request", async () => {
    const rig = openRig({ receivers: { a: { status: 422 } }, destinations: [destination("crm", ["a"])] });
    await rig.accept(track(), track({ userId: "u2" }));
    await rig.advance(100);
    const purged = (await rig.all()).find(({ body }) => new TextDecoder().decode(body).includes('"u1"'));
    if (purged === undefined) throw new Error("there is no such delivery");
    await ask(rig, { regulation: "suppress-only" });
    const atOnce = await rig.relay().replay(purged.id);
    await rig.advance(HOUR);
    const later = await rig.relay().replay(purged.id);
    expect([atOnce, later].map((result) => result._unsafeUnwrapErr().code)).toEqual(["purged", "purged"]);
    expect(await rig.answer(rig.relay().replayMany({ destination: CRM }))).toEqual({ replayed: 1, more: false });
  });

  it("cannot be replayed before the purge, and the answer says so", async () => {
    const rig = openRig({
      receivers: { a: { status: 422 } },
      destinations: [destination("crm", ["a"])],
      wrapStore: withDeletions(() => ({ purge: () => Promise.reject(storeError("busy")) })),
    });
    await rig.accept(track());
    await rig.advance(100);
    await ask(rig);
    const { id } = await rig.only();
    expect((await rig.relay().replay(id))._unsafeUnwrapErr()).toEqual({ code: "purged" });
    expect(await rig.answer(rig.relay().replayMany({ destination: CRM }))).toEqual({ replayed: 0, more: false });
  });

  it("does not include a delivery that comes after the request", async () => {
    const crm = switchable();
    const rig = openRig({ receivers: { a: crm.receiver }, destinations: [destination("crm", ["a"])] });
    await ask(rig);
    await rig.accept(track());
    await rig.advance(5_000);
    crm.recover();
    await rig.advance(HOUR);
    expect(sorted(await states(rig))).toEqual(["crm delete delivered", "crm track delivered"]);
  });

  it("does not include a delivery that comes after the request, though the purge has not begun", async () => {
    const rig = openRig({
      receivers: { a: ({ nth }) => ({ status: nth === 1 ? 503 : 200 }) },
      destinations: [destination("crm", ["a"])],
      wrapStore: withDeletions(() => ({ purge: () => Promise.reject(storeError("busy")) })),
    });
    await ask(rig);
    await rig.accept(track());
    await rig.advance(10_000);
    expect(await states(rig)).toEqual(["crm track delivered"]);
  });

  it("does not include notices: those of an earlier request still go out", async () => {
    const crm = switchable();
    const rig = openRig({ receivers: { a: crm.receiver }, destinations: [destination("crm", ["a"])] });
    await ask(rig);
    await rig.advance(100);
    await ask(rig, { regulation: "suppress-with-delete" });
    crm.recover();
    await rig.advance(HOUR);
    expect(await states(rig)).toEqual(["crm delete delivered", "crm delete delivered"]);
  });
});

describe("a round that is under way when its user is deleted", () => {
  const underWay = async (status: number) => {
    const rig = openRig({
      receivers: { a: ({ nth }) => (nth === 1 ? { status, afterMs: 500, body: "who is u1" } : { status: 200 }) },
      destinations: [destination("crm", ["a"])],
    });
    await rig.accept(track());
    await rig.advance(100);
    await ask(rig, { regulation: "suppress-only" });
    await rig.advance(HOUR);
    return rig;
  };

  it.each([
    ["delivered, when it succeeds", 200, { state: "delivered" }],
    ["dead(purged), if it would be tried again", 503, { state: "dead", reason: "purged", detail: "503" }],
    ["dead(purged), if it is refused for good", 422, { state: "dead", reason: "purged", detail: "422" }],
  ])("is %s", async (_, status, settled) => {
    const rig = await underWay(status);
    const record = await rig.only();
    expect(record).toMatchObject({ ...settled, attemptCount: 1 });
    expect(record.body).toBeUndefined();
    expect(record.endpoints.map(({ excerpt }) => excerpt)).not.toContainEqual(expect.any(Uint8Array));
    expect(rig.seen).toHaveLength(1);
  });

  it("is reported as dead, not as waiting, and releases its slot", async () => {
    const rig = await underWay(503);
    const ends = rig.events.filter(({ kind }) => ["rescheduled", "died", "stale"].includes(kind));
    expect(ends).toMatchObject([{ kind: "died", reason: "purged", detail: "503" }]);
    await rig.accept(...Array.from({ length: 40 }, (_, index) => track({ userId: `v${String(index)}` })));
    await rig.advance(1_000);
    expect(rig.seen).toHaveLength(41);
  });

  it("is not repeated after a crash", async () => {
    const rig = openRig({ receivers: { a: "silent" }, destinations: [destination("crm", ["a"])] });
    await rig.accept(track());
    await rig.advance(100);
    await ask(rig, { regulation: "suppress-only" });
    rig.crash();
    rig.restart();
    await rig.advance(HOUR);
    expect(rig.seen).toHaveLength(1);
    expect(await rig.only()).toMatchObject({ state: "dead", reason: "purged" });
  });

  it("that is released when the relay stops is dead too", async () => {
    const rig = openRig({
      receivers: { a: { status: 503, afterMs: 500 } },
      destinations: [destination("crm", ["a"])],
    });
    await rig.accept(track());
    await rig.advance(100);
    await ask(rig, { regulation: "suppress-only" });
    const stopped = rig.relay().stop();
    await rig.advance(1_000);
    await stopped;
    expect(await rig.only()).toMatchObject({ state: "dead", reason: "purged" });
  });
});

describe("a suppressed user's call", () => {
  it("leaves only a count", async () => {
    const rig = openRig();
    await ask(rig, { regulation: "suppress-only" });
    await rig.advance(1_000);
    const call = track({ messageId: "m1" });
    expect(await kinds(rig, call, track({ userId: "u2" }), call)).toEqual(["suppressed", "accepted", "suppressed"]);
    await rig.advance(1_000);
    expect(callsHeard(rig)).toEqual(["crm track u2", "mail track u2"]);
    expect(await rig.answer(rig.relay().stats())).toMatchObject({ accepted: 2, suppressed: 2, duplicates: 0 });
    expect(rig.events.filter(({ kind }) => kind === "suppressed")).toHaveLength(2);
  });

  it("is a new call once the suppression has ended, whatever its messageId", async () => {
    const rig = openRig();
    await ask(rig, { regulation: "suppress-only" });
    const call = track({ messageId: "m1" });
    await rig.accept(call);
    expect(await rig.answer(rig.relay().suppressed({ limit: 10 }))).toEqual(["u1"]);
    await ask(rig, { regulation: "unsuppress" });
    expect(await rig.answer(rig.relay().suppressed({ limit: 10 }))).toEqual([]);
    expect(await kinds(rig, call)).toEqual(["accepted"]);
  });

  it("releases its slots in the lanes", async () => {
    const rig = openRig({ destinations: [destination("crm", ["a"])] });
    await ask(rig, { regulation: "suppress-only" });
    await rig.accept(...Array.from({ length: 100 }, () => track()));
    await rig.accept(...Array.from({ length: 32 }, () => track({ userId: "u2" })));
    await rig.advance(0);
    expect(rig.seen).toHaveLength(32);
  });
});
