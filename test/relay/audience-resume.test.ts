// A sync that was left unfinished is resumed wherever a relay runs: in the next process, in another one beside it, after a
// store that failed. No change is told twice, and none is left out.

import type { AudienceStore, DeliveryStore } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { type AudienceBench, CRM, createAudienceBench, crm, MAIL, mail, SILENCE_MS } from "./audience-rig.js";

const USERS = Array.from({ length: 40 }, (_, index) => `u${String(index).padStart(2, "0")}`);
const ALL_TRUE = USERS.map((userId) => `crm ${userId} true`);
const SLOW = { syncBounds: { stepChanges: 5, laneDeliveries: 10 } };

/** A sync that waits for room in the lane of the crm, which is paused. */
async function openWaiting(): Promise<AudienceBench> {
  const bench = createAudienceBench({ destinations: [crm({ paused: true })], relay: SLOW });
  await bench.create();
  void bench.relay().syncAudience("vip", USERS);
  await bench.clock.advance(1_000);
  expect((await bench.record()).running?.kind).toBe("sending");
  return bench;
}

async function expectAllTold(bench: AudienceBench): Promise<void> {
  expect(bench.heard()).toEqual(ALL_TRUE);
  const record = await bench.record();
  expect(record).toMatchObject({ running: null, last: { sync: 1, members: 40, entered: 40, departed: 0 } });
}

/** A store that stores nothing new until there is space. */
function fullDisk() {
  let isFull = true;
  const full = Object.assign(new Error("full"), { code: "full" });
  return {
    wrap: (store: DeliveryStore): DeliveryStore => ({
      ...store,
      commit: (changes, now) =>
        isFull && changes.accept.length > 0 ? Promise.reject(full) : store.commit(changes, now),
    }),
    makeRoom: (): void => {
      isFull = false;
    },
  };
}

describe("a sync that is being sent", () => {
  it("goes on in the next process after a crash, once the lease of the one before has ended", async () => {
    const bench = await openWaiting();
    bench.crash();
    bench.restart();
    bench.configure(crm());
    await bench.clock.advance(20_000);
    expect(bench.heard().length).toBeLessThan(USERS.length);
    await bench.clock.advance(SILENCE_MS);
    await bench.clock.advance(10_000);
    expect((await bench.record()).running).toBeNull();
    const [last, ...others] = bench.events.filter(({ kind }) => kind === "synced");
    expect(last).toMatchObject({ audience: "vip", report: { members: 40 } });
    expect(others).toEqual([]);
    expect(new Set(bench.messages().map(({ userId }) => userId)).size).toBe(40);
    expect(bench.messages()).toHaveLength(40);
  });

  it("goes on at once after its relay was stopped, and the host is told of the stop", async () => {
    const bench = createAudienceBench({ destinations: [crm({ paused: true })], relay: SLOW });
    await bench.create();
    const synced = bench.relay().syncAudience("vip", USERS);
    await bench.clock.advance(1_000);
    const stopping = bench.relay().stop();
    await bench.clock.advance(1_000);
    await stopping;
    expect((await synced)._unsafeUnwrapErr()).toEqual({ code: "stopped" });
    bench.restart();
    bench.configure(crm());
    await bench.clock.advance(8_000);
    await expectAllTold(bench);
  });

  it("is sent by one of two processes; the other takes over only when the lease has ended", async () => {
    const bench = await openWaiting();
    const owner = (await bench.record()).running?.owner;
    bench.join();
    await bench.clock.advance(200_000);
    expect((await bench.record()).running?.owner).toBe(owner);
    bench.configure(crm());
    await bench.clock.advance(10_000);
    await expectAllTold(bench);
  });

  it("outlasts a delivery store that is full for a while", async () => {
    const disk = fullDisk();
    const bench = createAudienceBench({ wrapDeliveries: disk.wrap });
    await bench.create();
    const synced = bench.relay().syncAudience("vip", USERS);
    await bench.clock.advance(5_000);
    disk.makeRoom();
    expect((await bench.settle(synced, 5_000))._unsafeUnwrap()).toMatchObject({ entered: 40 });
    await expectAllTold(bench);
  });

  it("that could not be stored for a long time goes on later, and the host is told that it is not done", async () => {
    const disk = fullDisk();
    const bench = createAudienceBench({ wrapDeliveries: disk.wrap });
    await bench.create();
    expect((await bench.settle(bench.relay().syncAudience("vip", USERS), 60_000))._unsafeUnwrapErr()).toEqual({
      code: "unavailable",
    });
    disk.makeRoom();
    await bench.clock.advance(20_000);
    await expectAllTold(bench);
  });

  it("tells nothing to a destination that was off from its beginning, though its process died before it told any", async () => {
    let left = Infinity;
    const onAsked = (what: string): void => {
      if (what !== "replace") return;
      left -= 1;
      if (left === 0) bench.crash();
    };
    const bench = createAudienceBench({ destinations: [crm(), mail({ enabled: false })], onAsked });
    await bench.create({ destinations: [CRM, MAIL] });
    // Begun, and about to be sent.
    left = 2;
    void bench.relay().syncAudience("vip", USERS);
    await bench.clock.advance(1_000);
    expect((await bench.record()).running?.kind).toBe("sending");
    bench.restart();
    await bench.clock.advance(SILENCE_MS);
    await expectAllTold(bench);
    bench.configure(crm(), mail());
    await bench.clock.advance(SILENCE_MS);
    expect(bench.heard()).toEqual([]);
  });

  it("knows what a destination was told last, though it is off when the sync is resumed", async () => {
    let left = Infinity;
    const onAsked = (what: string): void => {
      if (what !== "commit") return;
      left -= 1;
      if (left === 0) bench.crash();
    };
    const bench = createAudienceBench({ destinations: [mail({ paused: true })], relay: SLOW, onAsked });
    await bench.create({ destinations: [MAIL] });
    // Its first five are stored, but that is not recorded.
    left = 1;
    void bench.relay().syncAudience("vip", USERS);
    await bench.clock.advance(1_000);
    expect((await bench.record()).told).toEqual([]);
    bench.restart();
    bench.configure(mail({ enabled: false }));
    await bench.clock.advance(2 * SILENCE_MS);
    bench.configure(mail());
    await bench.sync([], { confirmRemove: USERS.length });
    const told = USERS.slice(0, 5).flatMap((userId) => [`mail ${userId} false`, `mail ${userId} true`]);
    expect(bench.heard()).toEqual(told);
  });

  it("tells the rest to a destination that was switched off during downtime, with the next sync, and nothing twice", async () => {
    const bench = createAudienceBench({ destinations: [crm(), mail({ paused: true })], relay: SLOW });
    await bench.create({ destinations: [CRM, MAIL] });
    void bench.relay().syncAudience("vip", USERS);
    await bench.clock.advance(1_000);
    bench.crash();
    bench.restart();
    bench.configure(crm(), mail({ enabled: false }));
    await bench.clock.advance(2 * SILENCE_MS);
    expect((await bench.record()).running).toBeNull();
    bench.configure(crm(), mail());
    await bench.sync(USERS);
    expect(bench.heard().filter((line) => line.startsWith("mail"))).toEqual(
      USERS.map((userId) => `mail ${userId} true`),
    );
  });
});

describe("an audience store that fails", () => {
  it("loses a sync that was collecting, and says so", async () => {
    const failing = (store: AudienceStore): AudienceStore => ({
      ...store,
      append: () => Promise.reject(Object.assign(new Error("gone"), { code: "unavailable" })),
    });
    const bench = createAudienceBench({ wrapAudiences: failing });
    await bench.create();
    expect((await bench.trySync(["a"]))._unsafeUnwrapErr()).toEqual({ code: "unavailable" });
    expect((await bench.record()).running).toBeNull();
    expect(bench.events).toContainEqual({ kind: "store-fault", code: "unavailable" });
    expect(bench.relay().health()).toEqual({ kind: "healthy" });
  });

  it("that is busy for a moment is asked again", async () => {
    let left = 3;
    const busy = (store: AudienceStore): AudienceStore => ({
      ...store,
      append: (set, members) => {
        left -= 1;
        return left >= 0
          ? Promise.reject(Object.assign(new Error("busy"), { code: "busy" }))
          : store.append(set, members);
      },
    });
    const bench = createAudienceBench({ wrapAudiences: busy });
    await bench.create();
    expect(await bench.sync(["a"])).toMatchObject({ entered: 1 });
  });

  it("whose records other processes keep changing is given up after a number of tries", async () => {
    const racing = (store: AudienceStore): AudienceStore => ({ ...store, replace: () => Promise.resolve(false) });
    const bench = createAudienceBench({ wrapAudiences: racing });
    await bench.create();
    expect((await bench.trySync(["a"]))._unsafeUnwrapErr()).toEqual({ code: "unavailable" });
    expect(await bench.record()).toMatchObject({ revision: 1, running: null });
  });
});
