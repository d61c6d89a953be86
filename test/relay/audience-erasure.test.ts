// A deleted user is removed from what audiences know, from the comparison of a sync and from an upload that comes in: no
// sync tells of the user again, until an upload that began after the request names the user.

import type { AudienceStore, DeletionId, DeletionRequest } from "@postrider/core";
import { describe, expect, it } from "vitest";
import {
  type AudienceBench,
  type AudienceBenchOptions,
  CRM,
  createAudienceBench,
  createGate,
  crm,
  MAIL,
  mail,
  SILENCE_MS,
} from "./audience-rig.js";

/** An unfinished request is tried again every 5 s. */
const LONG_MS = 12_000;

async function request(bench: AudienceBench, request: Partial<DeletionRequest> = {}): Promise<DeletionId> {
  const asked = bench.relay().requestDeletion({ userIds: ["u1"], regulation: "delete-only", ...request });
  return (await bench.settle(asked, 0))._unsafeUnwrap();
}

async function isFinished(bench: AudienceBench, id: DeletionId): Promise<boolean> {
  return (await bench.deliveries.deletions?.find(id))?.finishedAt !== undefined;
}

/** Requests a deletion, and waits until it is finished. */
async function erase(bench: AudienceBench, given: Partial<DeletionRequest> = {}): Promise<void> {
  const id = await request(bench, given);
  await bench.clock.advance(LONG_MS);
  expect(await isFinished(bench, id)).toBe(true);
}

/** The whole contents of the audience store, as one text. */
async function everything(store: AudienceStore): Promise<string> {
  const sets = await store.sets("");
  const members = await Promise.all(sets.map((set) => readAll(store, set)));
  return JSON.stringify([await store.list(), members]);
}

async function readAll(store: AudienceStore, set: string): Promise<readonly string[]> {
  const userIds: string[] = [];
  for (let page = await store.read(set); page.length > 0; page = await store.read(set, userIds.at(-1)))
    userIds.push(...page.map(({ userId }) => userId));
  return userIds;
}

async function synced(members: readonly string[], options: AudienceBenchOptions = {}): Promise<AudienceBench> {
  const bench = createAudienceBench(options);
  await bench.create({ destinations: (options.destinations ?? [crm()]).map(({ id }) => id) });
  await bench.sync(members);
  bench.heard();
  return bench;
}

describe("after the deletion of a member", () => {
  it("the next sync, made without them, tells nothing of them", async () => {
    const bench = await synced(["u1", "u2"]);
    await erase(bench);
    expect(bench.heard()).toEqual(["crm u1 undefined"]);
    expect(await bench.sync(["u2"])).toMatchObject({ members: 1, entered: 0, departed: 0 });
    expect(bench.heard()).toEqual([]);
  });

  it("a sync that is made with them brings them back", async () => {
    const bench = await synced(["u1", "u2"]);
    await erase(bench);
    bench.heard();
    expect(await bench.sync(["u1", "u2"])).toMatchObject({ members: 2, entered: 1, departed: 0 });
    expect(bench.heard()).toEqual(["crm u1 true"]);
  });

  it("a sync that was called just before the request does not bring them back", async () => {
    const bench = await synced(["u1", "u2"]);
    const uploaded = bench.relay().syncAudience("vip", ["u1", "u2"]);
    const requested = bench.relay().requestDeletion({ userIds: ["u1"], regulation: "delete-only" });
    expect((await bench.settle(requested)).isOk()).toBe(true);
    expect((await bench.settle(uploaded))._unsafeUnwrap()).toMatchObject({ members: 1 });
    await bench.clock.advance(1_000);
    expect(bench.heard()).toEqual(["crm u1 undefined"]);
  });

  it.each(["delete-only", "suppress-with-delete", "suppress-only"] as const)(
    "nothing of them is left in the audience store, once it is finished (%s)",
    async (regulation) => {
      const bench = await synced(["u1", "u2"]);
      expect(await everything(bench.audiences)).toContain("u1");
      await erase(bench, { regulation });
      expect(await everything(bench.audiences)).not.toContain("u1");
    },
  );

  it("whatever sources it was limited to, and waiting changes of them are not sent", async () => {
    const bench = createAudienceBench({ destinations: [crm({ paused: true })] });
    await bench.create();
    await bench.sync(["u1", "u2"]);
    await erase(bench, { sources: ["website" as never] });
    bench.configure(crm());
    await bench.clock.advance(1_000);
    expect(bench.heard()).toEqual(["crm u1 undefined", "crm u2 true"]);
    await bench.sync(["u2"]);
    expect(bench.heard()).toEqual([]);
  });

  it("if the last change told to a destination was of them, it is told exactly the rest", async () => {
    const users = ["u1", "u2", "u3", "u4"];
    const slow = { syncBounds: { stepChanges: 2, laneDeliveries: 2 } };
    const bench = createAudienceBench({ destinations: [mail({ paused: true })], relay: slow });
    await bench.create({ destinations: [MAIL] });
    void bench.relay().syncAudience("vip", users);
    await bench.clock.advance(1_000);
    expect((await bench.record()).told).toMatchObject([{ parts: [{ upTo: "u2" }] }]);
    bench.configure(mail({ enabled: false }));
    await bench.clock.advance(1_000);
    await erase(bench, { userIds: ["u2"] });
    expect(await everything(bench.audiences)).not.toContain("u2");
    bench.configure(mail());
    await bench.sync(["u1", "u3", "u4"]);
    expect(bench.heard()).toEqual(["mail u1 true", "mail u3 true", "mail u4 true"]);
  });
});

describe("a deletion that is requested while a sync is under way", () => {
  it("removes the user from the upload that comes in, and is finished once that has ended", async () => {
    const bench = await synced([]);
    const gate = createGate();
    const sync = bench.relay().syncAudience("vip", gate.members);
    await bench.clock.advance(1_000);
    const ids = [await request(bench, { userIds: ["a"] }), await request(bench, { userIds: ["b"] })];
    await bench.clock.advance(LONG_MS);
    expect(bench.heard()).toEqual(["crm a undefined", "crm b undefined"]);
    expect(await Promise.all(ids.map((id) => isFinished(bench, id)))).toEqual([false, false]);
    gate.open();
    expect((await bench.settle(sync))._unsafeUnwrap()).toMatchObject({ members: 0, entered: 0 });
    await bench.clock.advance(LONG_MS);
    expect(await Promise.all(ids.map((id) => isFinished(bench, id)))).toEqual([true, true]);
    expect(bench.heard()).toEqual([]);
    expect(await everything(bench.audiences)).not.toMatch(/"[ab]"/);
  });

  it("removes the user from changes that are compared and not sent yet", async () => {
    const slow = { syncBounds: { stepChanges: 1, laneDeliveries: 1 } };
    const bench = createAudienceBench({ destinations: [crm({ paused: true })], relay: slow });
    await bench.create();
    const sync = bench.relay().syncAudience("vip", ["u1", "u2", "u3"]);
    await bench.clock.advance(1_000);
    expect((await bench.record()).running?.kind).toBe("sending");
    await erase(bench, { userIds: ["u1", "u3"] });
    bench.configure(crm());
    expect((await bench.settle(sync, 10_000)).isOk()).toBe(true);
    await bench.clock.advance(1_000);
    expect(bench.heard()).toEqual(["crm u1 undefined", "crm u2 true", "crm u3 undefined"]);
  });

  it("stops a commit of changes that was made before it, however late that comes", async () => {
    const gate = gateCommits();
    const bench = await synced(["u1", "u2"], { wrapDeliveries: gate.wrap });
    gate.close();
    const sync = bench.relay().syncAudience("vip", []);
    await bench.clock.advance(100);
    expect(gate.held()).toBe(1);
    // Another process carries it out from the beginning to the end.
    const other = bench.join();
    const id = (
      await bench.settle(other.requestDeletion({ userIds: ["u1"], regulation: "delete-only" }), 0)
    )._unsafeUnwrap();
    gate.letOthers();
    await bench.clock.advance(LONG_MS);
    expect(await isFinished(bench, id)).toBe(true);
    gate.open();
    expect((await bench.settle(sync, SILENCE_MS)).isOk()).toBe(true);
    expect(bench.heard()).toEqual(["crm u1 undefined", "crm u2 false"]);
  });

  it("does not affect an upload that began after it, while it is carried out", async () => {
    const bench = await synced(["u1", "u2"], { destinations: [crm(), mail()] });
    const gate = createGate();
    const before = bench.relay().syncAudience("vip", gate.members);
    await bench.clock.advance(100);
    const id = await request(bench, { userIds: ["a", "u1"] });
    await bench.clock.advance(100);
    gate.open();
    expect((await bench.settle(before))._unsafeUnwrap()).toMatchObject({ members: 1 });
    await bench.sync(["a", "b", "u1"]);
    await bench.clock.advance(LONG_MS);
    expect(await isFinished(bench, id)).toBe(true);
    const { current } = await bench.record();
    expect(await readAll(bench.audiences, current ?? "")).toEqual(["a", "b", "u1"]);
    expect((await bench.record()).destinations).toEqual([CRM, MAIL]);
  });
});

/** While it is closed, holds back the first commit that stores something; all others pass. */
function gateCommits() {
  let isClosed = false;
  let open = (): void => undefined;
  let held = 0;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    wrap: ((store) => ({
      ...store,
      commit: async (changes, now) => {
        if (isClosed && changes.accept.length > 0) {
          held += 1;
          if (held === 1) await opened;
        }
        return store.commit(changes, now);
      },
    })) satisfies NonNullable<AudienceBenchOptions["wrapDeliveries"]>,
    close: (): void => {
      isClosed = true;
    },
    letOthers: (): void => {
      isClosed = false;
    },
    held: () => held,
    open: (): void => {
      open();
    },
  };
}
