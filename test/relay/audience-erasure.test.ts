// A deleted user is removed from what audiences know, from the comparison of a sync and from an upload that comes in: no
// sync tells of the user again, until an upload that began after the request names the user.

import type { AudienceStore, DeletionId, DeletionRequest } from "@postrider/core";
import { describe, expect, it } from "vitest";
import {
  type AudienceRig,
  type AudienceRigOptions,
  CRM,
  createAudienceRig,
  createGate,
  crm,
  MAIL,
  mail,
  recordsIn,
  SILENCE_MS,
} from "./audience-rig.js";

/** An unfinished request is tried again every 5 s. */
const LONG_MS = 12_000;

async function request(rig: AudienceRig, request: Partial<DeletionRequest> = {}): Promise<DeletionId> {
  const pending = rig.relay().requestDeletion({ userIds: ["u1"], regulation: "delete-only", ...request });
  return (await rig.settle(pending, 0))._unsafeUnwrap();
}

async function isFinished(rig: AudienceRig, id: DeletionId): Promise<boolean> {
  return (await rig.deliveries.deletions?.find(id))?.finishedAt !== undefined;
}

/** Requests a deletion, and waits until it is finished. */
async function erase(rig: AudienceRig, given: Partial<DeletionRequest> = {}): Promise<void> {
  const id = await request(rig, given);
  await rig.clock.advance(LONG_MS);
  expect(await isFinished(rig, id)).toBe(true);
}

/** The whole contents of the audience store, as one text. */
async function everything(store: AudienceStore): Promise<string> {
  const sets = await store.sets("");
  const members = await Promise.all(sets.map((set) => readAll(store, set)));
  return JSON.stringify([await recordsIn(store), members]);
}

async function readAll(store: AudienceStore, set: string): Promise<readonly string[]> {
  const userIds: string[] = [];
  for (let page = await store.read(set); page.length > 0; page = await store.read(set, userIds.at(-1)))
    userIds.push(...page.map(({ userId }) => userId));
  return userIds;
}

async function synced(members: readonly string[], options: AudienceRigOptions = {}): Promise<AudienceRig> {
  const rig = createAudienceRig(options);
  await rig.create({ destinations: (options.destinations ?? [crm()]).map(({ id }) => id) });
  await rig.sync(members);
  rig.heard();
  return rig;
}

describe("after the deletion of a member", () => {
  it("the next sync, made without them, tells nothing of them", async () => {
    const rig = await synced(["u1", "u2"]);
    await erase(rig);
    expect(rig.heard()).toEqual(["crm u1 undefined"]);
    expect(await rig.sync(["u2"])).toMatchObject({ members: 1, entered: 0, departed: 0 });
    expect(rig.heard()).toEqual([]);
  });

  it("a sync that is made with them brings them back", async () => {
    const rig = await synced(["u1", "u2"]);
    await erase(rig);
    rig.heard();
    expect(await rig.sync(["u1", "u2"])).toMatchObject({ members: 2, entered: 1, departed: 0 });
    expect(rig.heard()).toEqual(["crm u1 true"]);
  });

  it("a sync that was called just before the request does not bring them back", async () => {
    const rig = await synced(["u1", "u2"]);
    const uploaded = rig.relay().syncAudience("vip", ["u1", "u2"]);
    const requested = rig.relay().requestDeletion({ userIds: ["u1"], regulation: "delete-only" });
    expect((await rig.settle(requested)).isOk()).toBe(true);
    expect((await rig.settle(uploaded))._unsafeUnwrap()).toMatchObject({ members: 1 });
    await rig.clock.advance(1_000);
    expect(rig.heard()).toEqual(["crm u1 undefined"]);
  });

  it.each(["delete-only", "suppress-with-delete", "suppress-only"] as const)(
    "nothing of them is left in the audience store, once it is finished (%s)",
    async (regulation) => {
      const rig = await synced(["u1", "u2"]);
      expect(await everything(rig.audiences)).toContain("u1");
      await erase(rig, { regulation });
      expect(await everything(rig.audiences)).not.toContain("u1");
    },
  );

  it("whatever sources it was limited to, and waiting changes of them are not sent", async () => {
    const rig = createAudienceRig({ destinations: [crm({ paused: true })] });
    await rig.create();
    await rig.sync(["u1", "u2"]);
    await erase(rig, { sources: ["website" as never] });
    rig.configure(crm());
    await rig.clock.advance(1_000);
    expect(rig.heard()).toEqual(["crm u1 undefined", "crm u2 true"]);
    await rig.sync(["u2"]);
    expect(rig.heard()).toEqual([]);
  });

  it("if the last change told to a destination was of them, it is told exactly the rest", async () => {
    const users = ["u1", "u2", "u3", "u4"];
    const slow = { syncBounds: { stepChanges: 2, laneDeliveries: 2 } };
    const rig = createAudienceRig({ destinations: [mail({ paused: true })], relay: slow });
    await rig.create({ destinations: [MAIL] });
    void rig.relay().syncAudience("vip", users);
    await rig.clock.advance(1_000);
    expect((await rig.record()).told).toMatchObject([{ parts: [{ upTo: "u2" }] }]);
    rig.configure(mail({ enabled: false }));
    await rig.clock.advance(1_000);
    await erase(rig, { userIds: ["u2"] });
    expect(await everything(rig.audiences)).not.toContain("u2");
    rig.configure(mail());
    await rig.sync(["u1", "u3", "u4"]);
    expect(rig.heard()).toEqual(["mail u1 true", "mail u3 true", "mail u4 true"]);
  });
});

describe("after the deletion of the user that a destination was told of last", () => {
  it.each([
    ["a user who has left", ["a", "h", "x", "z"], ["a", "z", "zz"], "mail h false"],
    ["a user who has entered", ["a", "x", "z"], ["a", "h", "z", "zz"], "mail h true"],
  ])("the destination is told nothing again of %s before", async (_, before, after, told) => {
    const slow = { syncBounds: { stepChanges: 2, laneDeliveries: 2 } };
    const rig = await synced(before, { destinations: [mail()], relay: slow });
    rig.configure(mail({ paused: true }));
    void rig.relay().syncAudience("vip", after);
    await rig.clock.advance(1_000);
    expect((await rig.record()).told).toMatchObject([{ parts: [{ upTo: "x" }, { upTo: null }] }]);
    rig.configure(mail({ enabled: false }));
    await rig.clock.advance(1_000);
    await erase(rig, { userIds: ["x"] });
    rig.configure(mail());
    await rig.sync(after);
    expect(rig.heard()).toEqual([told, "mail zz true"]);
  });
});

describe("a deletion that is requested while a sync is under way", () => {
  it("removes the user from the upload that comes in, and is finished once that has ended", async () => {
    const rig = await synced([]);
    const gate = createGate();
    const sync = rig.relay().syncAudience("vip", gate.members);
    await rig.clock.advance(1_000);
    const ids = [await request(rig, { userIds: ["a"] }), await request(rig, { userIds: ["b"] })];
    await rig.clock.advance(LONG_MS);
    expect(rig.heard()).toEqual(["crm a undefined", "crm b undefined"]);
    expect(await Promise.all(ids.map((id) => isFinished(rig, id)))).toEqual([false, false]);
    gate.open();
    expect((await rig.settle(sync))._unsafeUnwrap()).toMatchObject({ members: 0, entered: 0 });
    await rig.clock.advance(LONG_MS);
    expect(await Promise.all(ids.map((id) => isFinished(rig, id)))).toEqual([true, true]);
    expect(rig.heard()).toEqual([]);
    expect(await everything(rig.audiences)).not.toMatch(/"[ab]"/);
  });

  it("removes the user from changes that are compared and not sent yet", async () => {
    const slow = { syncBounds: { stepChanges: 1, laneDeliveries: 1 } };
    const rig = createAudienceRig({ destinations: [crm({ paused: true })], relay: slow });
    await rig.create();
    const sync = rig.relay().syncAudience("vip", ["u1", "u2", "u3"]);
    await rig.clock.advance(1_000);
    expect((await rig.record()).running?.kind).toBe("sending");
    await erase(rig, { userIds: ["u1", "u3"] });
    rig.configure(crm());
    expect((await rig.settle(sync, 10_000)).isOk()).toBe(true);
    await rig.clock.advance(1_000);
    expect(rig.heard()).toEqual(["crm u1 undefined", "crm u2 true", "crm u3 undefined"]);
  });

  it("stops a commit of changes that was made before it, however late that comes", async () => {
    const gate = gateCommits();
    const rig = await synced(["u1", "u2"], { wrapDeliveries: gate.wrap });
    gate.close();
    const sync = rig.relay().syncAudience("vip", []);
    await rig.clock.advance(100);
    expect(gate.held()).toBe(1);
    // Another process carries it out from the beginning to the end.
    const otherRelay = rig.join();
    const id = (
      await rig.settle(otherRelay.requestDeletion({ userIds: ["u1"], regulation: "delete-only" }), 0)
    )._unsafeUnwrap();
    gate.letOthers();
    await rig.clock.advance(LONG_MS);
    expect(await isFinished(rig, id)).toBe(true);
    gate.open();
    expect((await rig.settle(sync, SILENCE_MS)).isOk()).toBe(true);
    expect(rig.heard()).toEqual(["crm u1 undefined", "crm u2 false"]);
  });

  it("does not affect an upload that began after it, while it is carried out", async () => {
    const rig = await synced(["u1", "u2"], { destinations: [crm(), mail()] });
    const gate = createGate();
    const before = rig.relay().syncAudience("vip", gate.members);
    await rig.clock.advance(100);
    const id = await request(rig, { userIds: ["a", "u1"] });
    await rig.clock.advance(100);
    gate.open();
    expect((await rig.settle(before))._unsafeUnwrap()).toMatchObject({ members: 1 });
    await rig.sync(["a", "b", "u1"]);
    await rig.clock.advance(LONG_MS);
    expect(await isFinished(rig, id)).toBe(true);
    const { current } = await rig.record();
    expect(await readAll(rig.audiences, current ?? "")).toEqual(["a", "b", "u1"]);
    expect((await rig.record()).destinations).toEqual([CRM, MAIL]);
  });

  it("does not affect an upload that began while its users were being looked for", async () => {
    const setGate = holdSets();
    const rig = await synced(["u1", "u2"], { wrapAudiences: setGate.wrap, relay: { syncBounds: EACH_PAIR } });
    setGate.close();
    const id = await request(rig);
    await rig.clock.advance(100);
    expect(setGate.held()).toBe(1);
    const members = createPausedMembers(["u1", "u2"], ["u3"]);
    const sync = rig.relay().syncAudience("vip", members.given);
    await rig.clock.advance(100);
    expect(await rig.audiences.sets("")).toHaveLength(2);
    setGate.open();
    await rig.clock.advance(LONG_MS);
    expect(await isFinished(rig, id)).toBe(true);
    members.goOn();
    expect((await rig.settle(sync))._unsafeUnwrap()).toMatchObject({ members: 3 });
    expect(rig.heard()).toEqual(["crm u1 true", "crm u1 undefined", "crm u3 true"]);
  });
});

/** Every two members are a run. */
const EACH_PAIR = { chunkMembers: 2, runChunks: 1 };

/** Gives some members, and others once it goes on. */
function createPausedMembers(first: readonly string[], then: readonly string[]) {
  let goOn = (): void => undefined;
  const isToGoOn = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  async function* give(): AsyncGenerator<string> {
    yield* first;
    await isToGoOn;
    yield* then;
  }
  return {
    given: give(),
    goOn: (): void => {
      goOn();
    },
  };
}

/** Once it is closed, holds back the next question for the sets of an audience. */
function holdSets() {
  let isClosed = false;
  let heldCount = 0;
  let open = (): void => undefined;
  const whenOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    wrap: (store: AudienceStore): AudienceStore => ({
      ...store,
      sets: async (prefix) => {
        if (isClosed) {
          isClosed = false;
          heldCount += 1;
          await whenOpen;
        }
        return store.sets(prefix);
      },
    }),
    close: (): void => {
      isClosed = true;
    },
    held: () => heldCount,
    open: (): void => {
      open();
    },
  };
}

/** While it is closed, holds back the first commit that stores something; all others pass. */
function gateCommits() {
  let isClosed = false;
  let open = (): void => undefined;
  let heldCount = 0;
  const whenOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    wrap: ((store) => ({
      ...store,
      commit: async (changes, now) => {
        if (isClosed && changes.accept.length > 0) {
          heldCount += 1;
          if (heldCount === 1) await whenOpen;
        }
        return store.commit(changes, now);
      },
    })) satisfies NonNullable<AudienceRigOptions["wrapDeliveries"]>,
    close: (): void => {
      isClosed = true;
    },
    letOthers: (): void => {
      isClosed = false;
    },
    held: () => heldCount,
    open: (): void => {
      open();
    },
  };
}
