// A deletion whose process dies between any two steps, or that two processes carry out at once: in the end every destination
// concerned has been notified, once for each request, and nothing of the users was sent after the answer.

import type { DeliveryStore } from "@postrider/core";
import { countsBalance } from "@postrider/core/engine";
import { createSeededRandom, type ManualClock } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { type Rig, type RigOptions, createRig, destination, type Receiver, track, WEBSITE } from "./rig.js";
import { of, SHOP, switchable, callsHeard } from "./deletion-rig.js";

/** Short, so that a run takes seconds of virtual time. */
const POLICY = { timeoutMs: 1_000, retryWindowMs: 600_000, firstRetryMs: 300, maxRetryMs: 3_000, leaseMs: 6_000 };
const LIFE_MS = 20_000;

type WrapStore = NonNullable<RigOptions["wrapStore"]>;

/** Calls `after` for every change that a store has made, before the change is answered. */
function watchChanges(after: () => Promise<void> | void): (store: DeliveryStore) => DeliveryStore {
  async function watched<T>(change: Promise<T>): Promise<T> {
    const answer = await change;
    await after();
    return answer;
  }
  return (store) => {
    const { deletions } = store;
    const people =
      deletions === undefined
        ? {}
        : {
            deletions: {
              ...deletions,
              open: (deletion, now) => watched(deletions.open(deletion, now)),
              // Small slices, so that there are several.
              purge: ({ id }, now) => watched(deletions.purge({ id, limit: 2 }, now)),
              finish: (id, now) => watched(deletions.finish(id, now)),
            } satisfies DeliveryStore["deletions"],
          };
    return {
      ...store,
      ...people,
      commit: (changes, now) => watched(store.commit(changes, now)),
      claim: (request, now) => watched(store.claim(request, now)),
    };
  };
}

interface Scene {
  readonly users: number;
  readonly isPaused: boolean;
}

/** The crm fails until it recovers. */
function open({ isPaused }: Scene, crm: Receiver, wrapStore: WrapStore): Rig {
  return createRig({
    receivers: { a: crm, b: { status: 200 } },
    sources: [SHOP],
    delivery: POLICY,
    destinations: settings(isPaused),
    wrapStore,
  });
}

function settings(paused: boolean) {
  return [
    destination("crm", ["a"], { ...of(WEBSITE, SHOP), paused }),
    destination("mail", ["b"], { ...of(WEBSITE), paused }),
  ];
}

function usersOf({ users }: Scene): readonly string[] {
  return Array.from({ length: users }, (_, index) => `u${String(index)}`);
}

/** Stores a delivery of each user, which waits for its second round. */
async function begin(rig: Rig): Promise<void> {
  const calls = ["u0", "bystander", "u1", "u1"].map((userId) => track({ userId }));
  void rig.relay().accept({ source: WEBSITE, calls });
  await rig.advance(200);
}

/** Resolves with the number of requests that receivers had seen when the request was answered. */
async function askUntilAnswered(rig: Rig, scene: Scene, restartIfDead: () => void): Promise<number> {
  for (let tries = 0; tries < 3; tries += 1) {
    let from: number | undefined;
    void rig
      .relay()
      .requestDeletion({ userIds: usersOf(scene), regulation: "delete-only" })
      .map(() => {
        from = rig.seen.length;
      });
    await rig.advance(5);
    if (from !== undefined) return from;
    restartIfDead();
  }
  throw new Error("no relay answers");
}

/** Checks the end state of each kept request. */
async function expectDone(rig: Rig, scene: Scene, from: number): Promise<void> {
  const users = usersOf(scene);
  const { deletions } = await rig.answer(rig.relay().deletionRequests({ limit: 10 }));
  expect(deletions.length).toBeGreaterThan(0);
  for (const deletion of deletions) {
    expect(deletion).toMatchObject({ isPurged: true, notified: users.length, finishedAt: expect.any(Number) });
    expect(deletion.notices).toEqual([
      { source: SHOP, stored: users.length, delivered: users.length, dead: 0 },
      { source: WEBSITE, stored: 2 * users.length, delivered: 2 * users.length, dead: 0 },
    ]);
  }
  const records = await rig.all();
  const notices = records.filter(({ type }) => type === "delete");
  expect(notices.map(({ state }) => state)).toEqual(notices.map(() => "delivered"));
  const each = new Set(notices.map(({ source, destination: lane, messageId }) => `${source} ${lane} ${messageId}`));
  expect(each.size).toBe(notices.length);
  expect(notices).toHaveLength(3 * users.length * deletions.length);
  const since = new Set(callsHeard(rig, from));
  for (const user of users) {
    expect([since.has(`crm delete ${user}`), since.has(`mail delete ${user}`)]).toEqual([true, true]);
    expect(since.has(`crm track ${user}`)).toBe(false);
  }
  expect(since.has("crm track bystander")).toBe(true);
  const tracks = records.filter(({ type, body }) => type === "track" && body !== undefined);
  expect(tracks.map(({ destination: lane, state }) => `${lane} ${state}`).sort()).toEqual([
    "crm delivered",
    "mail delivered",
  ]);
  expect(countsBalance(await rig.answer(rig.relay().stats()))).toBe(true);
}

/**
 * Runs a deletion whose process dies once its store has made `dieAfter` steps since the request. Answers whether it died.
 */
async function live(scene: Scene, dieAfter: number): Promise<boolean> {
  const crm = switchable();
  let steps = -Infinity;
  let deaths = 0;
  let isDead = false;
  const rig = open(
    scene,
    crm.receiver,
    watchChanges(() => {
      steps += 1;
      if (steps !== dieAfter) return;
      deaths += 1;
      isDead = true;
      rig.crash();
    }),
  );
  function restartIfDead(): void {
    if (!isDead) return;
    isDead = false;
    rig.restart();
  }
  await begin(rig);
  crm.recover();
  steps = 0;
  const from = await askUntilAnswered(rig, scene, restartIfDead);
  await rig.advance(1_000);
  steps = -Infinity;
  restartIfDead();
  rig
    .relay()
    .configure(rig.workspace(settings(false)))
    ._unsafeUnwrap();
  await rig.advance(LIFE_MS);
  await expectDone(rig, scene, from);
  return deaths > 0;
}

describe("a deletion", () => {
  it.each<readonly [string, Scene]>([
    ["with its notices going out meanwhile", { users: 3, isPaused: false }],
    ["of 100 users, whose notices take several commits", { users: 100, isPaused: true }],
  ])(
    "survives a crash after any step of the store, %s",
    async (_, scene) => {
      let lives = 0;
      while (await live(scene, lives + 1)) lives += 1;
      expect(lives).toBeGreaterThan(7);
      expect(lives).toBeLessThan(100);
    },
    60_000,
  );

  it("is carried out once, by any number of processes and with any delay of their store", async () => {
    const scene: Scene = { users: 100, isPaused: false };
    for (let seed = 1; seed <= 10; seed += 1) {
      const crm = switchable();
      const random = createSeededRandom(seed);
      const wrapStore: WrapStore = (store, clock: ManualClock) =>
        watchChanges(() => new Promise((resolve) => clock.after(Math.floor(random.unit() * 30), resolve)))(store);
      const rig = open(scene, crm.receiver, wrapStore);
      await begin(rig);
      const pending = rig.relay().requestDeletion({ userIds: usersOf(scene), regulation: "delete-only" });
      const from = rig.seen.length;
      await rig.advance(50);
      // A new process looks at once for unfinished requests.
      rig.join();
      rig.join();
      crm.recover();
      expect((await pending).isOk()).toBe(true);
      await rig.advance(LIFE_MS);
      await expectDone(rig, scene, from);
    }
  });
});
