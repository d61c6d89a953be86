// Requests about users: accepting and executing them, and sending their notices.

import { type DeletionId } from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { destination, HOUR, storeError, track, WEBSITE } from "./rig.js";
import { ask, kinds, openRig, patched, SHOP, states, switchable, callsHeard, withDeletions } from "./deletion-rig.js";

describe("notices", () => {
  it("are tried again like any message, and counted for each source", async () => {
    const crm = switchable();
    const rig = openRig({ receivers: { a: crm.receiver, b: { status: 422 } } });
    const id = await ask(rig);
    await rig.advance(1_000);
    expect((await rig.answer(rig.relay().deletion(id)))?.notices).toEqual([
      { source: SHOP, stored: 1, delivered: 0, dead: 0 },
      { source: WEBSITE, stored: 2, delivered: 0, dead: 1 },
    ]);
    crm.recover();
    await rig.advance(HOUR);
    expect((await rig.answer(rig.relay().deletion(id)))?.notices).toEqual([
      { source: SHOP, stored: 1, delivered: 1, dead: 0 },
      { source: WEBSITE, stored: 2, delivered: 1, dead: 1 },
    ]);
  });

  it("are stored at most 250 deliveries at once, together with their progress", async () => {
    const sizes: number[] = [];
    const reached: number[] = [];
    const rig = openRig({
      wrapStore: patched((store) => ({
        commit: (changes, now) => {
          const notices = changes.accept.filter(({ type }) => type === "delete");
          if (notices.length > 0) sizes.push(notices.flatMap(({ deliveries }) => deliveries).length);
          reached.push(...(changes.notified ?? []).map(({ users }) => users));
          return store.commit(changes, now);
        },
      })),
    });
    await ask(rig, { userIds: Array.from({ length: 200 }, (_, index) => `u${String(index)}`) });
    await rig.advance(60_000);
    expect(sizes).toEqual([249, 249, 102]);
    expect(reached).toEqual([83, 166, 200]);
    expect(rig.seen).toHaveLength(600);
  });

  it("wait for a store that is full, and later requests do not", async () => {
    let isFull = true;
    const rig = openRig({
      receivers: { a: { status: 503 }, b: { status: 503 } },
      wrapStore: patched((store) => ({
        commit: (changes, now) =>
          isFull && changes.accept.some(({ type }) => type === "delete")
            ? Promise.reject(storeError("full"))
            : store.commit(changes, now),
      })),
    });
    await rig.accept(track({ userId: "u2" }));
    await rig.advance(100);
    const first = await ask(rig);
    const second = await ask(rig, { userIds: ["u2"], regulation: "suppress-only" });
    await rig.advance(60_000);
    expect(await rig.answer(rig.relay().deletion(first))).toMatchObject({ isPurged: true, notified: 0 });
    expect(await rig.answer(rig.relay().deletion(second))).toHaveProperty("finishedAt");
    isFull = false;
    await rig.advance(60_000);
    expect(await rig.answer(rig.relay().deletion(first))).toMatchObject({
      notified: 1,
      finishedAt: expect.any(Number),
    });
    const notices = (await states(rig)).filter((one) => one.includes("delete"));
    expect(notices).toHaveLength(3);
  });

  it("release their slots in the lanes while the store is full", async () => {
    const rig = openRig({
      wrapStore: patched((store) => ({
        commit: (changes, now) =>
          changes.accept.some(({ type }) => type === "delete")
            ? Promise.reject(storeError("full"))
            : store.commit(changes, now),
      })),
    });
    await ask(rig, { userIds: Array.from({ length: 20 }, (_, index) => `v${String(index)}`) });
    await rig.advance(20_000);
    await rig.accept(...Array.from({ length: 32 }, () => track()));
    await rig.advance(0);
    expect(callsHeard(rig).filter((one) => one.startsWith("crm"))).toHaveLength(32);
  });
});

describe("a request", () => {
  it("that is invalid changes nothing, and returns all its problems", async () => {
    const rig = openRig();
    const request = { userIds: ["u1", ""], regulation: "suppress-only", sources: [SHOP] } as const;
    const fault = (await rig.relay().requestDeletion(request))._unsafeUnwrapErr();
    expect(fault).toMatchObject({
      code: "refused",
      problems: [
        { code: "bad-user-id", path: "userIds[1]" },
        { code: "not-allowed", path: "sources" },
      ],
    });
    expect(await rig.answer(rig.relay().deletionRequests({ limit: 10 }))).toEqual({ deletions: [], more: false });
    expect(await kinds(rig, track())).toEqual(["accepted"]);
  });

  it.each(["busy", "full", "unavailable"])("is not taken by a store that is %s", async (code) => {
    const rig = openRig({
      wrapStore: withDeletions(() => ({ open: () => Promise.reject(storeError(code)) })),
    });
    const pending = rig.relay().requestDeletion({ userIds: ["u1"], regulation: "delete-only" });
    await rig.advance(1_000);
    expect((await pending)._unsafeUnwrapErr()).toEqual({ code });
  });

  it("is taken by a store that is busy for a moment", async () => {
    let tries = 0;
    const rig = openRig({
      wrapStore: withDeletions((deletions) => ({
        open: (deletion, now) => {
          tries += 1;
          return tries < 3 ? Promise.reject(storeError("busy")) : deletions.open(deletion, now);
        },
      })),
    });
    const pending = rig.relay().requestDeletion({ userIds: ["u1"], regulation: "delete-only" });
    await rig.advance(1_000);
    expect((await pending).isOk()).toBe(true);
    expect(callsHeard(rig)).toHaveLength(3);
  });

  it("cannot be made to a store without support for users, nor to a relay that has stopped", async () => {
    const { deletions, ...plain } = createMemoryStore({ disk: createMemoryDisk() });
    expect(deletions).toBeDefined();
    const request = { userIds: ["u1"], regulation: "delete-only" } as const;
    const ignorant = openRig({ wrapStore: () => plain }).relay();
    expect((await ignorant.requestDeletion(request))._unsafeUnwrapErr()).toEqual({ code: "not-supported" });
    expect((await ignorant.deletion("d1" as DeletionId))._unsafeUnwrap()).toBeUndefined();
    expect((await ignorant.deletionRequests({ limit: 1 }))._unsafeUnwrap()).toEqual({ deletions: [], more: false });
    expect((await ignorant.suppressed({ limit: 1 }))._unsafeUnwrap()).toEqual([]);
    const stopped = openRig().relay();
    await stopped.stop();
    expect((await stopped.requestDeletion(request))._unsafeUnwrapErr()).toEqual({ code: "stopped" });
  });

  it("is listed, newest first, and reports its steps without its users", async () => {
    const rig = openRig({ receivers: { a: { status: 503 } }, destinations: [destination("crm", ["a"])] });
    await rig.accept(track({ userId: "somebody" }));
    await rig.advance(100);
    const first = await ask(rig, { userIds: ["somebody"] });
    await rig.advance(1_000);
    const second = await ask(rig, { regulation: "unsuppress", userIds: ["somebody", "else"] });
    await rig.advance(1_000);
    const { deletions } = await rig.answer(rig.relay().deletionRequests({ limit: 10 }));
    expect(deletions.map(({ id }) => id)).toEqual([second, first]);
    const steps = rig.events.filter((one) => "deletion" in one);
    expect(steps).toMatchObject([
      { kind: "deletion-requested", deletion: first, regulation: "delete-only", users: 1 },
      { kind: "purged", deletion: first, deliveries: 1 },
      { kind: "deletion-finished", deletion: first },
      { kind: "deletion-requested", deletion: second, regulation: "unsuppress", users: 2 },
      { kind: "deletion-finished", deletion: second },
    ]);
    expect(rig.logged.filter(([, entry]) => entry.deletion === first)).toEqual([
      ["info", { code: "deletion-requested", deletion: first, detail: "delete-only", count: 1 }],
      ["info", { code: "purged", deletion: first, count: 1 }],
      ["info", { code: "deletion-finished", deletion: first }],
    ]);
    expect(JSON.stringify([rig.events, rig.logged])).not.toContain("somebody");
  });

  it("that could not be carried out is tried again, also after a fault of the store", async () => {
    let isOut = true;
    const rig = openRig({
      wrapStore: withDeletions((deletions) => ({
        purge: (slice, now) => (isOut ? Promise.reject(storeError("unavailable")) : deletions.purge(slice, now)),
        finish: async (id, now) => !isOut && (await deletions.finish(id, now)),
      })),
    });
    const id = await ask(rig);
    await rig.advance(60_000);
    expect(callsHeard(rig)).toEqual([]);
    isOut = false;
    await rig.advance(10_000);
    expect(callsHeard(rig)).toHaveLength(3);
    expect(await rig.answer(rig.relay().deletion(id))).toHaveProperty("finishedAt");
  });

  it("is finished only when no connection holds the store's log any more", async () => {
    let isHeld = true;
    const rig = openRig({
      wrapStore: withDeletions((deletions) => ({
        finish: async (id, now) => !isHeld && (await deletions.finish(id, now)),
      })),
    });
    const id = await ask(rig);
    await rig.advance(60_000);
    expect(await rig.answer(rig.relay().deletion(id))).not.toHaveProperty("finishedAt");
    isHeld = false;
    await rig.advance(10_000);
    expect(await rig.answer(rig.relay().deletion(id))).toHaveProperty("finishedAt");
  });

  it("is continued by the next process when the relay stops, which waits for the step under way", async () => {
    let isPurging = false;
    const rig = openRig({
      wrapStore: withDeletions((deletions, clock) => ({
        purge: async (slice, now) => {
          isPurging = true;
          await new Promise<void>((resolve) => clock.after(500, resolve));
          isPurging = false;
          return deletions.purge(slice, now);
        },
      })),
    });
    await ask(rig);
    await rig.advance(100);
    expect(isPurging).toBe(true);
    let wasPurging: boolean | undefined;
    const stopped = rig
      .relay()
      .stop()
      .then(() => (wasPurging = isPurging));
    await rig.advance(1_000);
    await stopped;
    expect(wasPurging).toBe(false);
    expect(callsHeard(rig)).toEqual([]);
    rig.restart();
    await rig.advance(1_000);
    expect(callsHeard(rig)).toHaveLength(3);
  });

  it("of 5,000 users does not delay other work", async () => {
    const rig = openRig({ destinations: [destination("crm", ["a"])] });
    const userIds = Array.from({ length: 5_000 }, (_, index) => `v${String(index)}`);
    await ask(rig, { userIds });
    await rig.accept(track());
    await rig.advance(1_000);
    expect(callsHeard(rig)).toContain("crm track u1");
    await rig.advance(30_000);
    const notices = callsHeard(rig).filter((one) => one.includes("delete"));
    expect(new Set(notices).size).toBe(5_000);
    expect(notices).toHaveLength(5_000);
  });
});
