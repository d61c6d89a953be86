// Replay jobs: what a filter finds is replayed once each, through crashes, faults of the store and other processes, and the job
// counts exactly what it has done.

import {
  createStoreError,
  type DeliveryPage,
  type DeliveryRecord,
  type DeliveryStore,
  type Destination,
  type DestinationId,
  type ReplayFilter,
  type ReplayJob,
  type ReplayJobId,
  replayJobId,
  type RecordStore,
  epochMs,
} from "@postrider/core";
import { encodeReplayJob, newReplayJob } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";
import { type Behaviour, createRig, CRM, destination, type Receiver, type Rig, type RigOptions, track } from "./rig.js";

const MAIL = "mail" as DestinationId;
const DEAD: ReplayFilter = { states: ["dead"] };

/** Longer than a job of a few pages takes, also if another process has to take it over. */
const DONE_MS = 60_000;

/** A receiver that refuses the body of everything until it is well. */
function patient(): { readonly receiver: Receiver; readonly recover: () => void } {
  let isWell = false;
  return {
    receiver: (): Behaviour => ({ status: isWell ? 200 : 422 }),
    recover: (): void => {
      isWell = true;
    },
  };
}

interface Scene {
  readonly rig: Rig;
  readonly recover: () => void;
}

/** Deliveries of the crm and of the mail that are dead, `calls` of each. */
async function withDead(calls: number, options: RigOptions = {}): Promise<Scene> {
  const { receiver, recover } = patient();
  const rig = createRig({
    hasRecords: true,
    receivers: { a: receiver },
    destinations: [destination("crm", ["a"]), destination("mail", ["a"])],
    ...options,
  });
  for (let callsLeft = calls; callsLeft > 0; callsLeft -= 100)
    await rig.accept(...Array.from({ length: Math.min(100, callsLeft) }, () => track()));
  await rig.advance(5_000);
  const deliveries = await rig.all();
  if (deliveries.length !== 2 * calls || deliveries.some(({ state }) => state !== "dead"))
    throw new Error("not all are dead");
  return { rig, recover };
}

/** The number of replays of each finished delivery, in the order of `of`. */
function timesReplayed(all: readonly DeliveryRecord[], of: readonly DeliveryRecord[]): readonly number[] {
  const times = new Map<string, number>();
  for (const { replayOf } of all) if (replayOf !== undefined) times.set(replayOf, (times.get(replayOf) ?? 0) + 1);
  return of.map(({ id }) => times.get(id) ?? 0);
}

async function start(rig: Rig, filter: ReplayFilter = DEAD): Promise<ReplayJobId> {
  return (await rig.answer(rig.relay().startReplay(filter))).id;
}

function configure(rig: Rig, destinations: readonly Destination[]): void {
  rig.relay().configure(rig.workspace(destinations))._unsafeUnwrap();
}

async function job(rig: Rig, id: ReplayJobId): Promise<ReplayJob> {
  return rig.answer(rig.relay().replayJob(id));
}

describe("a replay job", () => {
  it("replays all that its preview counted, once each, and nothing else", async () => {
    const { rig, recover } = await withDead(300);
    recover();
    const before = await rig.all();
    const filter = { ...DEAD, destination: CRM };
    const preview = await rig.answer(rig.relay().previewReplay(filter));
    expect(preview).toMatchObject({
      deliveries: 300,
      outOfReach: { purged: 0, "destination-removed": 0 },
      isWhole: true,
    });
    expect([preview.byDestination, preview.byReason]).toEqual([new Map([[CRM, 300]]), new Map([["refused", 300]])]);
    expect(preview.examples).toHaveLength(5);
    const id = await start(rig, filter);
    expect(await job(rig, id)).toMatchObject({ state: "running", expected: 300 });
    await rig.advance(DONE_MS);
    expect(await job(rig, id)).toMatchObject({ state: "done", expected: 300, replayed: 300, skipped: 0 });
    const after = await rig.all();
    expect(timesReplayed(after, before)).toEqual(before.map((one) => (one.destination === CRM ? 1 : 0)));
    expect(after.filter(({ replayOf }) => replayOf !== undefined).map(({ state }) => state)).toEqual(
      Array.from({ length: 300 }, () => "delivered"),
    );
    expect(rig.logged.filter(([, { code }]) => code === "replay-job-done")).toEqual([
      ["info", { code: "replay-job-done", job: id, count: 300, detail: "0 skipped" }],
    ]);
  });

  it("leaves alone what its own replays became, and what was replayed before", async () => {
    const { rig } = await withDead(3);
    const [first] = await rig.all();
    await rig.answer(rig.relay().replay(first!.id));
    await rig.advance(5_000);
    const id = await start(rig);
    await rig.advance(DONE_MS);
    // Five of the six, and the replay of the sixth, which is dead too.
    expect(await job(rig, id)).toMatchObject({ state: "done", expected: 6, replayed: 6 });
    expect(await rig.all()).toHaveLength(6 + 1 + 6);
    expect((await rig.answer(rig.relay().previewReplay(DEAD))).deliveries).toBe(6);
  });

  it("leaves alone what is accepted after its creation, though it begins later", async () => {
    const store = { isBusy: true };
    const { rig } = await withDead(3, {
      wrapStore: (real) => ({
        ...real,
        list: (query) =>
          store.isBusy && query.limit === 250
            ? Promise.reject(createStoreError("busy", "as planned"))
            : real.list(query),
      }),
    });
    const id = await start(rig, { ...DEAD, acceptedBefore: epochMs(rig.clock.wall() + DONE_MS) });
    await rig.advance(1_000);
    await rig.accept(track());
    await rig.advance(5_000);
    store.isBusy = false;
    await rig.advance(DONE_MS);
    expect(await job(rig, id)).toMatchObject({ state: "done", expected: 6, replayed: 6 });
  });

  it("replays delivered ones too, if its filter says so", async () => {
    const rig = createRig({ hasRecords: true });
    await rig.accept(track(), track());
    await rig.advance(1_000);
    const id = await start(rig, { states: ["delivered", "dead"] });
    await rig.advance(DONE_MS);
    expect(await job(rig, id)).toMatchObject({ state: "done", replayed: 2 });
    expect(rig.seen).toHaveLength(4);
  });

  it("skips deliveries of destinations that are not in the settings, and says so beforehand", async () => {
    const { rig } = await withDead(3);
    configure(rig, [destination("mail", ["a"])]);
    const preview = await rig.answer(rig.relay().previewReplay(DEAD));
    expect(preview).toMatchObject({ deliveries: 3, outOfReach: { "destination-removed": 3 } });
    const id = await start(rig);
    await rig.advance(DONE_MS);
    expect(await job(rig, id)).toMatchObject({ state: "done", replayed: 3, skipped: 3 });
    expect(await rig.relay().startReplay({ ...DEAD, destination: CRM })).toMatchObject({
      error: { code: "destination-removed" },
    });
  });

  it("that finds nothing is done at once", async () => {
    const rig = createRig({ hasRecords: true });
    const id = await start(rig, { ...DEAD, reason: "expired" });
    await rig.advance(100);
    expect(await job(rig, id)).toMatchObject({ state: "done", expected: 0, replayed: 0, skipped: 0 });
  });

  it("waits while a lane is long, and goes on once it is short", async () => {
    const options = { relay: { laneBounds: { maxDeliveries: 600, maxBytes: 1e9 } } };
    const { rig, recover } = await withDead(500, options);
    const paused = [destination("crm", ["a"], { paused: true }), destination("mail", ["a"])];
    configure(rig, paused);
    recover();
    const id = await start(rig, { ...DEAD, destination: CRM });
    await rig.advance(DONE_MS);
    expect(await job(rig, id)).toMatchObject({ state: "running", replayed: 250 });
    expect((await rig.all()).filter(({ state }) => state === "waiting")).toHaveLength(250);
    configure(rig, [destination("crm", ["a"]), destination("mail", ["a"])]);
    await rig.advance(DONE_MS);
    expect(await job(rig, id)).toMatchObject({ state: "done", replayed: 500 });
  });

  it("does not hold up another job, whose lane is short", async () => {
    const options = { relay: { laneBounds: { maxDeliveries: 600, maxBytes: 1e9 } } };
    const { rig, recover } = await withDead(500, options);
    configure(rig, [destination("crm", ["a"], { paused: true }), destination("mail", ["a"])]);
    recover();
    const [stuck, free] = [
      await start(rig, { ...DEAD, destination: CRM }),
      await start(rig, { ...DEAD, destination: MAIL }),
    ];
    await rig.advance(DONE_MS);
    expect(await job(rig, free)).toMatchObject({ state: "done", replayed: 500 });
    expect(await job(rig, stuck)).toMatchObject({ state: "running" });
  });
});

describe("an operator who cancels a job", () => {
  it("ends it between two pages; what was replayed is counted and stays replayed", async () => {
    const { rig } = await withDead(600);
    const before = await rig.all();
    const id = await start(rig);
    await rig.advance(45);
    expect(await rig.answer(rig.relay().cancelReplay(id))).toMatchObject({ state: "cancelled" });
    await rig.advance(DONE_MS);
    const ended = await job(rig, id);
    expect(ended.state).toBe("cancelled");
    expect(ended.endedAt).toBeDefined();
    const replays = timesReplayed(await rig.all(), before);
    expect(replays.reduce((sum, one) => sum + one, 0)).toBe(ended.replayed);
    expect([0, 1_200]).not.toContain(ended.replayed);
    expect(rig.logged.map(([, { code }]) => code)).not.toContain("replay-job-done");
    expect(await rig.answer(rig.relay().cancelReplay(id))).toEqual(ended);
  });

  it("is told that there is none of this id, or that the store keeps none", async () => {
    const rig = createRig({ hasRecords: true });
    const unknown = "unknown" as ReplayJobId;
    for (const answer of [rig.relay().cancelReplay(unknown), rig.relay().replayJob(unknown)])
      expect(await answer).toMatchObject({ error: { code: "not-found" } });
    const plainRelay = createRig().relay();
    for (const unsupported of [
      plainRelay.cancelReplay(unknown),
      plainRelay.replayJob(unknown),
      plainRelay.replayJobs(),
    ])
      expect(await unsupported).toMatchObject({ error: { code: "not-supported" } });
    for (const unsupported of [plainRelay.startReplay(DEAD), plainRelay.previewReplay(DEAD)])
      expect(await unsupported).toMatchObject({ error: { code: "not-supported" } });
  });
});

/** The mishap at the `nth` request that a relay makes for a job: before it takes effect, or after it. */
interface Mishap {
  readonly nth: number;
  readonly when: "before" | "after";
  readonly happen: () => void | Promise<void>;
}

/** True if a request is made to carry a job out, and not to preview or create it, or to deliver. */
function isOfJob(method: string, first: unknown): boolean {
  const { replay, revision, tag, notReplayed, limit } = Object(first) as Readonly<Record<string, unknown>>;
  if (method === "commit") return Array.isArray(replay) && replay.length > 0;
  if (method === "put") return revision !== 1;
  if (method === "list") return tag === "running" || (notReplayed === true && limit !== 1_000);
  return method === "find";
}

/** A store of which one request has a mishap, once it is armed. */
function mishaps(): {
  readonly wrap: (store: DeliveryStore) => DeliveryStore;
  arm(mishap: Mishap): void;
  seen(): number;
} {
  let mishap: Mishap | undefined;
  let requestCount = 0;

  async function ask<T>(request: () => Promise<T>): Promise<T> {
    if (mishap === undefined) return request();
    requestCount += 1;
    const isIt = requestCount === mishap.nth;
    if (isIt && mishap.when === "before") await mishap.happen();
    const answer = await request();
    if (isIt && mishap.when === "after") await mishap.happen();
    return answer;
  }

  function wrapped<Store extends object>(store: Store): Store {
    return new Proxy(store, {
      get: (target, name) => {
        const part: unknown = Reflect.get(target, name);
        if (typeof part === "object" && part !== null) return wrapped(part);
        if (typeof part !== "function") return part;
        return (...given: readonly unknown[]) => {
          const request = (): Promise<unknown> => part.apply(target, given) as Promise<unknown>;
          return isOfJob(String(name), given[0]) ? ask(request) : request();
        };
      },
    });
  }

  return {
    wrap: wrapped,
    arm: (next): void => {
      mishap = next;
      requestCount = 0;
    },
    seen: () => requestCount,
  };
}

/** Runs a job of 2 × 150 deliveries to its end, with one mishap, and expects that each was replayed and counted once. */
async function expectExact(nth: number, when: Mishap["when"], what: "crash" | "unavailable"): Promise<number> {
  const store = mishaps();
  const { rig, recover } = await withDead(150, { wrapStore: store.wrap, delivery: { leaseMs: 15_000 } });
  recover();
  const before = await rig.all();
  const life = { isOver: false };
  const happen = (): void => {
    if (what === "unavailable") throw createStoreError("unavailable", "as planned");
    rig.crash();
    life.isOver = true;
  };
  store.arm({ nth, when, happen });
  const id = await start(rig);
  for (let waited = 0; waited < DONE_MS; waited += 1_000) {
    await rig.advance(1_000);
    if (!life.isOver) continue;
    life.isOver = false;
    rig.restart();
  }
  await rig.advance(DONE_MS);
  const label = `${what} ${when} request ${String(nth)}`;
  expect([label, await job(rig, id)]).toMatchObject([label, { state: "done", replayed: 300, skipped: 0 }]);
  expect(timesReplayed(await rig.all(), before)).toEqual(before.map(() => 1));
  return store.seen();
}

describe("each delivery is replayed and counted once, though", () => {
  it.each([
    ["crash", "before"],
    ["crash", "after"],
    ["unavailable", "before"],
    ["unavailable", "after"],
  ] as const)("a request of the job has a mishap: %s %s it takes effect", async (what, when) => {
    const requests = 10;
    for (let nth = 1; nth <= requests; nth += 1) expect(await expectExact(nth, when, what)).toBeGreaterThanOrEqual(nth);
  });

  it("two processes have the job in turn, since the lease of one ends again and again", async () => {
    const { rig, recover } = await withDead(600, { delivery: { leaseMs: 11_000 } });
    recover();
    const before = await rig.all();
    rig.join();
    const id = await start(rig);
    await rig.advance(10 * DONE_MS);
    expect(await job(rig, id)).toMatchObject({ state: "done", replayed: 1_200, skipped: 0 });
    expect(timesReplayed(await rig.all(), before)).toEqual(before.map(() => 1));
  });
});

describe("a process that stands still in a job", () => {
  it.each(["before", "after"] as const)(
    "%s a request, and goes on once another is done, replays nothing again",
    async (when) => {
      const requests = 9;
      for (let nth = 1; nth <= requests; nth += 1) {
        const store = mishaps();
        const { rig, recover } = await withDead(150, { wrapStore: store.wrap, delivery: { leaseMs: 11_000 } });
        recover();
        const before = await rig.all();
        const other = rig.join();
        let goOn = (): void => undefined;
        const standing = new Promise<void>((resolve) => {
          goOn = resolve;
        });
        store.arm({ nth, when, happen: () => standing });
        const id = await start(rig);
        await rig.advance(DONE_MS);
        const done = { state: "done", replayed: 300, skipped: 0 };
        expect([nth, await rig.answer(other.replayJob(id))]).toMatchObject([nth, done]);
        goOn();
        await rig.advance(DONE_MS);
        expect([nth, await rig.answer(other.replayJob(id))]).toMatchObject([nth, done]);
        expect(timesReplayed(await rig.all(), before)).toEqual(before.map(() => 1));
      }
    },
  );
});

describe("a page of a job that a process has left", () => {
  it("is carried out as it was named, whatever meets the filter since", async () => {
    const store = mishaps();
    const late = { mayAnswer: false };
    const rig = createRig({
      hasRecords: true,
      receivers: { a: () => ({ status: 200 }), b: () => ({ status: late.mayAnswer ? 200 : 503 }) },
      destinations: [destination("crm", ["a"]), destination("mail", ["b"])],
      wrapStore: store.wrap,
      delivery: { leaseMs: 15_000 },
    });
    await rig.accept(track(), track(), track());
    await rig.advance(1_000);
    store.arm({ nth: 5, when: "before", happen: () => rig.crash() });
    const id = await start(rig, { states: ["delivered"] });
    await rig.advance(1_000);
    late.mayAnswer = true;
    rig.restart();
    await rig.advance(DONE_MS);
    const all = await rig.all();
    const originals = all.filter(({ replayOf }) => replayOf === undefined);
    expect(originals.map(({ state }) => state)).toEqual(originals.map(() => "delivered"));
    expect(timesReplayed(all, originals)).toEqual(originals.map(({ destination: lane }) => (lane === CRM ? 1 : 0)));
    expect(await job(rig, id)).toMatchObject({ state: "done", replayed: 3, skipped: 0 });
  });
});

describe("a process that stops", () => {
  it("gives its job up, and the next process carries on at once", async () => {
    const { rig, recover } = await withDead(600);
    recover();
    const id = await start(rig);
    await rig.advance(45);
    const stopped = rig.relay().stop();
    await rig.advance(1_000);
    await stopped;
    const runningJob = await job(rig, id);
    expect(runningJob).toMatchObject({ state: "running", holder: { aliveAt: 0 } });
    rig.restart();
    await rig.advance(1_000);
    expect(await job(rig, id)).toMatchObject({ state: "done", replayed: 1_200 });
  });
});

describe("a preview", () => {
  /** A store that looks through deliveries without an end, and finds none that matches. */
  function endless(asked: { pages: number }): RigOptions {
    const list = (): Promise<DeliveryPage> => {
      asked.pages += 1;
      return Promise.resolve({ deliveries: [], next: String(asked.pages) });
    };
    return {
      hasRecords: true,
      wrapStore: (store, clock) => ({
        ...store,
        list: () => new Promise((resolve) => clock.after(1, () => resolve(list()))),
      }),
    };
  }

  it("ends after 10,000 pages, and says that there may be more", async () => {
    const counter = { pages: 0 };
    const rig = createRig(endless(counter));
    const looking = rig.relay().previewReplay(DEAD);
    await rig.advance(20_000);
    expect((await looking)._unsafeUnwrap()).toMatchObject({ deliveries: 0, isWhole: false });
    expect(counter.pages).toBe(10_000);
  });

  it("ends when its relay is stopped", async () => {
    const counter = { pages: 0 };
    const rig = createRig(endless(counter));
    const looking = rig.relay().previewReplay(DEAD);
    await rig.advance(100);
    const stopped = rig.relay().stop();
    await rig.advance(1_000);
    await stopped;
    expect((await looking)._unsafeUnwrapErr()).toEqual({ code: "stopped" });
    expect(counter.pages).toBeLessThan(200);
  });
});

describe("of 1,000 jobs", () => {
  /** A relay whose store has 1,000 jobs, of which the first ended last. */
  async function withJobs(state: ReplayJob["state"]): Promise<Rig> {
    let kept: RecordStore | undefined;
    const wrapStore = (store: DeliveryStore): DeliveryStore => {
      kept = store.records;
      return store;
    };
    const rig = createRig({ hasRecords: true, wrapStore });
    for (let nth = 0; nth < 1_000; nth += 1) {
      const [id, at] = [replayJobId(String(nth)), epochMs(1_000_000 + nth)];
      const holder = { owner: "another", aliveAt: rig.clock.wall() };
      const begun = { ...newReplayJob({ id, createdAt: at, expected: 0, filter: DEAD }), holder, state };
      await kept?.put(encodeReplayJob(state === "running" ? begun : { ...begun, endedAt: epochMs(2_000_000 - nth) }));
    }
    return rig;
  }

  it("those that ended first make room for new ones", async () => {
    const rig = await withJobs("done");
    const latest = await start(rig);
    const ids = (await rig.answer(rig.relay().replayJobs())).map(({ id }) => id);
    expect(ids).toHaveLength(1_000);
    expect([ids.includes(latest), ids.includes(replayJobId("0")), ids.includes(replayJobId("999"))]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it("running ones make no room", async () => {
    const rig = await withJobs("running");
    expect(await rig.relay().startReplay(DEAD)).toMatchObject({ error: { code: "too-many-jobs" } });
    expect(await rig.answer(rig.relay().replayJobs())).toHaveLength(1_000);
  });
});
