// A sync that was left unfinished is resumed wherever a relay runs: in the next process, in another one beside it, after a
// store that failed. No change is delivered twice, and every change is delivered.

import type { AudienceStore, DeliveryStore } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { type AudienceRig, CRM, createAudienceRig, crm, MAIL, mail, SILENCE_MS } from "./audience-rig.js";

const USERS = Array.from({ length: 40 }, (_, index) => `u${String(index).padStart(2, "0")}`);
const ALL_TRUE = USERS.map((userId) => `crm ${userId} true`);
const SLOW = { syncBounds: { stepChanges: 5, laneDeliveries: 10 } };

/** A sync that waits for room in the lane of the crm, which is paused. */
async function openWaiting(): Promise<AudienceRig> {
  const rig = createAudienceRig({ destinations: [crm({ paused: true })], relay: SLOW });
  await rig.create();
  void rig.relay().syncAudience("vip", USERS);
  await rig.clock.advance(1_000);
  expect((await rig.record()).running?.kind).toBe("sending");
  return rig;
}

async function expectAllTold(rig: AudienceRig): Promise<void> {
  expect(rig.heard()).toEqual(ALL_TRUE);
  const record = await rig.record();
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
    const rig = await openWaiting();
    rig.crash();
    rig.restart();
    rig.configure(crm());
    await rig.clock.advance(20_000);
    expect(rig.heard().length).toBeLessThan(USERS.length);
    await rig.clock.advance(SILENCE_MS);
    await rig.clock.advance(10_000);
    expect((await rig.record()).running).toBeNull();
    const [last, ...others] = rig.events.filter(({ kind }) => kind === "synced");
    expect(last).toMatchObject({ audience: "vip", report: { members: 40 } });
    expect(others).toEqual([]);
    expect(new Set(rig.messages().map(({ userId }) => userId)).size).toBe(40);
    expect(rig.messages()).toHaveLength(40);
  });

  it("goes on at once after its relay was stopped, and the host is told of the stop", async () => {
    const rig = createAudienceRig({ destinations: [crm({ paused: true })], relay: SLOW });
    await rig.create();
    const synced = rig.relay().syncAudience("vip", USERS);
    await rig.clock.advance(1_000);
    const stopping = rig.relay().stop();
    await rig.clock.advance(1_000);
    await stopping;
    expect((await synced)._unsafeUnwrapErr()).toEqual({ code: "stopped" });
    rig.restart();
    rig.configure(crm());
    await rig.clock.advance(8_000);
    await expectAllTold(rig);
  });

  it("is sent by one of two processes; the other takes over only when the lease has ended", async () => {
    const rig = await openWaiting();
    const owner = (await rig.record()).running?.owner;
    rig.join();
    await rig.clock.advance(200_000);
    expect((await rig.record()).running?.owner).toBe(owner);
    rig.configure(crm());
    await rig.clock.advance(10_000);
    await expectAllTold(rig);
  });

  it("outlasts a delivery store that is full for a while", async () => {
    const disk = fullDisk();
    const rig = createAudienceRig({ wrapDeliveries: disk.wrap });
    await rig.create();
    const synced = rig.relay().syncAudience("vip", USERS);
    await rig.clock.advance(5_000);
    disk.makeRoom();
    expect((await rig.settle(synced, 5_000))._unsafeUnwrap()).toMatchObject({ entered: 40 });
    await expectAllTold(rig);
  });

  it("that could not be stored for a long time goes on later, and the host is told that it is not done", async () => {
    const disk = fullDisk();
    const rig = createAudienceRig({ wrapDeliveries: disk.wrap });
    await rig.create();
    expect((await rig.settle(rig.relay().syncAudience("vip", USERS), 60_000))._unsafeUnwrapErr()).toEqual({
      code: "unavailable",
    });
    disk.makeRoom();
    await rig.clock.advance(20_000);
    await expectAllTold(rig);
  });

  it("tells nothing to a destination that was off from its beginning, though its process died before it told any", async () => {
    let remaining = Infinity;
    const onAsked = (what: string): void => {
      if (what !== "put") return;
      remaining -= 1;
      if (remaining === 0) rig.crash();
    };
    const rig = createAudienceRig({ destinations: [crm(), mail({ enabled: false })], onAsked });
    await rig.create({ destinations: [CRM, MAIL] });
    // Begun, and about to be sent.
    remaining = 2;
    void rig.relay().syncAudience("vip", USERS);
    await rig.clock.advance(1_000);
    expect((await rig.record()).running?.kind).toBe("sending");
    rig.restart();
    await rig.clock.advance(SILENCE_MS);
    await expectAllTold(rig);
    rig.configure(crm(), mail());
    await rig.clock.advance(SILENCE_MS);
    expect(rig.heard()).toEqual([]);
  });

  it("knows what a destination was told last, though it is off when the sync is resumed", async () => {
    let remaining = Infinity;
    const onAsked = (what: string): void => {
      if (what !== "commit") return;
      remaining -= 1;
      if (remaining === 0) rig.crash();
    };
    const rig = createAudienceRig({ destinations: [mail({ paused: true })], relay: SLOW, onAsked });
    await rig.create({ destinations: [MAIL] });
    // Its first five are stored, but that is not recorded.
    remaining = 1;
    void rig.relay().syncAudience("vip", USERS);
    await rig.clock.advance(1_000);
    expect((await rig.record()).told).toEqual([]);
    rig.restart();
    rig.configure(mail({ enabled: false }));
    await rig.clock.advance(2 * SILENCE_MS);
    rig.configure(mail());
    await rig.sync([], { confirmRemove: USERS.length });
    const expected = USERS.slice(0, 5).flatMap((userId) => [`mail ${userId} false`, `mail ${userId} true`]);
    expect(rig.heard()).toEqual(expected);
  });

  it("tells the rest to a destination that was switched off during downtime, with the next sync, and nothing twice", async () => {
    const rig = createAudienceRig({ destinations: [crm(), mail({ paused: true })], relay: SLOW });
    await rig.create({ destinations: [CRM, MAIL] });
    void rig.relay().syncAudience("vip", USERS);
    await rig.clock.advance(1_000);
    rig.crash();
    rig.restart();
    rig.configure(crm(), mail({ enabled: false }));
    await rig.clock.advance(2 * SILENCE_MS);
    expect((await rig.record()).running).toBeNull();
    rig.configure(crm(), mail());
    await rig.sync(USERS);
    expect(rig.heard().filter((line) => line.startsWith("mail"))).toEqual(USERS.map((userId) => `mail ${userId} true`));
  });
});

describe("an audience store that fails", () => {
  it("loses a sync that was collecting, and says so", async () => {
    const failing = (store: AudienceStore): AudienceStore => ({
      ...store,
      append: () => Promise.reject(Object.assign(new Error("gone"), { code: "unavailable" })),
    });
    const rig = createAudienceRig({ wrapAudiences: failing });
    await rig.create();
    expect((await rig.trySync(["a"]))._unsafeUnwrapErr()).toEqual({ code: "unavailable" });
    expect((await rig.record()).running).toBeNull();
    expect(rig.events).toContainEqual(expect.objectContaining({ kind: "store-fault", code: "unavailable" }));
    expect(rig.relay().health()).toEqual({ kind: "healthy" });
  });

  it("that is busy for a moment is asked again", async () => {
    let remaining = 3;
    const busy = (store: AudienceStore): AudienceStore => ({
      ...store,
      append: (set, members) => {
        remaining -= 1;
        return remaining >= 0
          ? Promise.reject(Object.assign(new Error("busy"), { code: "busy" }))
          : store.append(set, members);
      },
    });
    const rig = createAudienceRig({ wrapAudiences: busy });
    await rig.create();
    expect(await rig.sync(["a"])).toMatchObject({ entered: 1 });
  });

  it("whose records other processes keep changing is given up after a number of tries", async () => {
    const racing = ({ records, ...store }: AudienceStore): AudienceStore => ({
      ...store,
      records: { ...records, put: (record) => (record.revision === 1 ? records.put(record) : Promise.resolve(false)) },
    });
    const rig = createAudienceRig({ wrapAudiences: racing });
    await rig.create();
    expect((await rig.trySync(["a"]))._unsafeUnwrapErr()).toEqual({ code: "unavailable" });
    expect(await rig.record()).toMatchObject({ revision: 1, running: null });
  });
});
