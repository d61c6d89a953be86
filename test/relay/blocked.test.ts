// A destination whose endpoints our own address policy refuses: its deliveries wait, and nothing is lost, until the settings
// allow the address or one retry window is over.

import { describe, expect, it } from "vitest";
import { type Behaviour, createRig, CRM, destination, HOUR, type Rig, slowClaims, track } from "./rig.js";

const MINUTE = 60_000;
const FORBIDDEN: Behaviour = { fault: "forbidden-address", afterMs: 0 };

const calls = (count: number) => Array.from({ length: count }, (_, index) => track({ messageId: `m${String(index)}` }));

/** A rig whose only endpoint is refused by the policy until `allow` is called. */
function blockedRig(given: Parameters<typeof createRig>[0] = {}): Rig & { readonly allow: () => void } {
  let reply: Behaviour = FORBIDDEN;
  const rig = createRig({ receivers: { a: () => reply }, ...given });
  return { ...rig, allow: () => void (reply = { status: 200 }) };
}

const configure = (rig: Rig, changes: Parameters<typeof destination>[2] = {}): void =>
  rig
    .relay()
    .configure(rig.workspace([destination("crm", ["a"], changes)]))
    ._unsafeUnwrap();

const deliveriesOf = async (rig: Rig) => (await rig.answer(rig.relay().deliveries({ limit: 1_000 }))).deliveries;
const lookUpsAfter = (rig: Rig, at: number) => rig.seen.filter((one) => one.at > at).map((one) => one.at - at);

describe("a destination whose endpoints are all refused by the address policy", () => {
  it("keeps its deliveries waiting, and shows the reason", async () => {
    const rig = blockedRig();
    await rig.accept(...calls(3));
    await rig.advance(HOUR);
    const expected = { state: "waiting", detail: "forbidden-address", attemptCount: 0 };
    expect(await deliveriesOf(rig)).toMatchObject([expected, expected, expected]);
    const { id } = (await deliveriesOf(rig))[0]!;
    expect(await rig.answer(rig.relay().delivery(id))).toMatchObject(expected);
    expect((await rig.all())[0]).not.toHaveProperty("firstAttemptAt");
  });

  it("is looked up once a minute at most, however many deliveries wait and come in", async () => {
    const rig = blockedRig();
    await rig.accept(...calls(200));
    await rig.advance(1_000);
    const from = rig.clock.wall();
    for (let minute = 0; minute < 60; minute += 1) {
      await rig.accept(track({ messageId: `later${String(minute)}` }));
      await rig.advance(MINUTE);
    }
    const lookUps = lookUpsAfter(rig, from);
    expect(lookUps.length).toBeGreaterThanOrEqual(45);
    for (const [index, at] of lookUps.entries()) {
      if (index > 0) expect(at - lookUps[index - 1]!).toBeGreaterThanOrEqual(MINUTE);
    }
  });

  it("starts no round of a claim that is answered after the block", async () => {
    const rig = blockedRig({ wrapStore: slowClaims });
    configure(rig, { paused: true });
    await rig.accept(...calls(10));
    configure(rig);
    await rig.advance(1);
    await rig.accept(track({ messageId: "handed off while the claim is under way" }));
    await rig.advance(30_000);
    expect(rig.seen).toHaveLength(1);
    expect(new Set((await rig.all()).map(({ state }) => state))).toEqual(new Set(["waiting"]));
  });

  it("is looked up at once when the settings change, and delivers what waited", async () => {
    const rig = blockedRig();
    await rig.accept(...calls(50));
    await rig.advance(HOUR);
    rig.allow();
    configure(rig);
    await rig.advance(2_000);
    expect(new Set((await rig.all()).map(({ state }) => state))).toEqual(new Set(["delivered"]));
    expect(rig.events).toContainEqual(expect.objectContaining({ kind: "lane-open", destination: CRM }));
  });

  it("delivers within a minute and a half when the name leads elsewhere", async () => {
    const rig = blockedRig();
    await rig.accept(...calls(50));
    await rig.advance(2 * HOUR);
    rig.allow();
    await rig.advance(1.5 * MINUTE);
    expect(new Set((await rig.all()).map(({ state }) => state))).toEqual(new Set(["delivered"]));
  });

  it("opens when its receiver refuses a message, and when it fails", async () => {
    for (const status of [404, 503]) {
      let reply: Behaviour = FORBIDDEN;
      const rig = createRig({ receivers: { a: () => reply } });
      await rig.accept(...calls(2));
      await rig.advance(1_000);
      reply = { status };
      configure(rig);
      await rig.advance(1_000);
      expect(rig.events).toContainEqual(expect.objectContaining({ kind: "lane-open", destination: CRM }));
      expect((await rig.all()).map(({ attempts }) => attempts.length)).toEqual([1, 1]);
    }
  });

  it("ends each delivery as refused once it has waited for one retry window since it was accepted", async () => {
    const rig = blockedRig();
    await rig.accept(...calls(3));
    await rig.advance(HOUR);
    await rig.accept(track({ messageId: "later" }));
    await rig.advance(3 * HOUR - 1_000);
    expect((await rig.all()).map(({ state }) => state)).toEqual(["waiting", "waiting", "waiting", "waiting"]);
    await rig.advance(2 * MINUTE);
    const dead = { state: "dead", reason: "refused", detail: "forbidden-address", attempts: [] };
    const by = (await rig.all()).toSorted((one, other) => one.acceptedAt - other.acceptedAt);
    expect(by).toMatchObject([dead, dead, dead, { state: "waiting" }]);
    await rig.advance(HOUR);
    expect(new Set((await rig.all()).map(({ state }) => state))).toEqual(new Set(["dead"]));
  });

  it.each([0, 5, 10, 15, 20, 25])(
    "ends nothing while it is paused, or while a change of the settings is looked up (%i s later)",
    async (seconds) => {
      let reply: Behaviour = FORBIDDEN;
      const rig = createRig({ receivers: { a: () => reply }, relay: { pollMs: 1_000 } });
      await rig.accept(...calls(3));
      await rig.advance(1_000);
      configure(rig, { paused: true });
      await rig.advance(5 * HOUR + seconds * 1_000);
      expect((await rig.all()).map(({ state }) => state)).toEqual(["waiting", "waiting", "waiting"]);
      reply = { status: 200, afterMs: 4_900 };
      configure(rig);
      await rig.advance(20_000);
      expect((await rig.all()).map(({ state }) => state)).toEqual(["delivered", "delivered", "delivered"]);
    },
  );

  it("expires what was tried before, if it is paused until its window is over", async () => {
    let reply: Behaviour = { status: 503 };
    const rig = createRig({ receivers: { a: () => reply } });
    await rig.accept(...calls(1));
    await rig.advance(MINUTE);
    reply = FORBIDDEN;
    await rig.advance(HOUR);
    expect(rig.events).toContainEqual(expect.objectContaining({ kind: "lane-blocked", destination: CRM }));
    configure(rig, { paused: true });
    await rig.advance(5 * HOUR);
    expect(await rig.only()).toMatchObject({ state: "dead", reason: "expired", detail: "503" });
  });

  it("shows the reason only for what waits", async () => {
    let reply: Behaviour = { status: 200 };
    const rig = createRig({ receivers: { a: () => reply } });
    await rig.accept(track({ messageId: "before" }));
    await rig.advance(1_000);
    reply = FORBIDDEN;
    await rig.accept(track({ messageId: "after" }));
    await rig.advance(1_000);
    expect(await deliveriesOf(rig)).toMatchObject([
      { detail: "forbidden-address" },
      { state: "delivered", detail: "200" },
    ]);
  });

  it("gets a new window with a replay", async () => {
    const rig = blockedRig();
    await rig.accept(...calls(1));
    await rig.advance(5 * HOUR);
    const { id } = await rig.only();
    const replay = await rig.answer(rig.relay().replay(id));
    await rig.advance(HOUR);
    expect(await rig.answer(rig.relay().delivery(replay))).toMatchObject({ state: "waiting" });
    rig.allow();
    await rig.advance(2 * MINUTE);
    expect(await rig.answer(rig.relay().delivery(replay))).toMatchObject({ state: "delivered" });
  });

  it("says so once, as a warning with what to do", async () => {
    const rig = blockedRig();
    await rig.accept(...calls(40));
    await rig.advance(HOUR);
    const blockedLines = rig.logged.filter(([, { code }]) => code === "lane-blocked");
    expect(blockedLines).toEqual([
      ["warning", { code: "lane-blocked", destination: CRM, detail: expect.any(String) as string }],
    ]);
    expect(rig.events.filter(({ kind }) => kind === "attempted")).toEqual([]);
  });

  it("keeps a deleted user's delivery from going out when it opens", async () => {
    const rig = blockedRig();
    await rig.accept(...calls(1));
    await rig.advance(MINUTE);
    await rig.answer(rig.relay().requestDeletion({ regulation: "delete-only", userIds: ["u1"] } as never));
    await rig.advance(MINUTE);
    rig.allow();
    configure(rig);
    await rig.advance(MINUTE);
    const bodies = rig.seen.filter(({ body }) => body.includes("Signed Up"));
    expect(bodies.every(({ at }) => at < rig.clock.wall() - MINUTE)).toBe(true);
  });
});

describe("a forbidden endpoint beside one that is allowed", () => {
  it("is asked again in each round, and the other one goes on as ever", async () => {
    const rig = createRig({ receivers: { a: FORBIDDEN, b: ({ nth }) => ({ status: nth === 1 ? 503 : 200 }) } });
    await rig.accept(track());
    await rig.advance(HOUR);
    expect(await rig.only()).toMatchObject({
      state: "delivered",
      attempts: [{ verdict: "refused" }, { verdict: "retry" }, { verdict: "refused" }, { verdict: "success" }],
    });
    expect(rig.events.filter(({ kind }) => kind === "attempted")).toHaveLength(4);
    expect(rig.events.filter(({ kind }) => kind === "lane-blocked")).toEqual([]);
  });

  it("ends the delivery as refused at the end of its window when the other one refuses it", async () => {
    const rig = createRig({ receivers: { a: FORBIDDEN, b: { status: 410 } } });
    await rig.accept(track());
    await rig.advance(3.9 * HOUR);
    expect(await rig.only()).toMatchObject({ state: "waiting", detail: "gone" });
    await rig.advance(HOUR);
    expect(await rig.only()).toMatchObject({ state: "dead", reason: "refused", detail: "gone" });
  });
});

it("a restart looks the addresses up once, and keeps what waits", async () => {
  const rig = blockedRig();
  await rig.accept(...calls(3));
  await rig.advance(10 * MINUTE);
  rig.crash();
  rig.restart();
  await rig.advance(10 * MINUTE);
  expect(await deliveriesOf(rig)).toMatchObject([{ detail: "forbidden-address" }, {}, {}]);
  rig.allow();
  configure(rig);
  await rig.advance(2_000);
  expect(new Set((await rig.all()).map(({ state }) => state))).toEqual(new Set(["delivered"]));
});
