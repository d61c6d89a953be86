// New deliveries go out without being read back from the store, if their lane has a free slot.

import { type DeliveryStore, epochMs, type LeaseToken, type Reply } from "@postrider/core";
import type { ManualClock } from "@postrider/memory";
import { createRelay } from "@postrider/relay";
import { describe, expect, it } from "vitest";
import { createMemoryPorts } from "../memory-ports.js";
import {
  type Rig,
  type RigOptions,
  createRig,
  CRM,
  destination,
  HOUR,
  slowClaims,
  slowCommits,
  track,
  WEBSITE,
} from "./rig.js";

interface Watched extends Rig {
  /** The number of deliveries that claims have returned. */
  claimed(): number;
}

function watch(options: RigOptions = {}): Watched {
  let claimed = 0;
  const wrapStore = (store: DeliveryStore): DeliveryStore => ({
    ...store,
    claim: async (request, now) => {
      const answer = await store.claim(request, now);
      claimed += answer.deliveries.length;
      return answer;
    },
  });
  return { ...createRig({ wrapStore, ...options }), claimed: () => claimed };
}

const calls = (count: number, name = "m") =>
  Array.from({ length: count }, (_, index) => track({ messageId: `${name}${String(index)}` }));

/** After this number of successes, in bursts of a quarter of it, the limit of the lane has grown from 32 to this number. */
const WARM = 128;
const LIMIT = 59;

async function warmUp(rig: Rig): Promise<void> {
  for (let burst = 0; burst < 4; burst += 1) {
    await rig.accept(...calls(WARM / 4, `warm-${String(burst)}-`));
    await rig.advance(60);
  }
}

describe("a new delivery", () => {
  it("goes out at once and is never claimed, if its lane has a free slot", async () => {
    const rig = watch();
    await rig.accept(track());
    await rig.advance(0);
    expect(rig.seen).toHaveLength(1);
    await rig.advance(100);
    expect(await rig.only()).toMatchObject({ state: "delivered", attemptCount: 1 });
    expect(rig.claimed()).toBe(0);
  });

  it("waits in the store if the lane has none, and is claimed when it has", async () => {
    const rig = watch({ receivers: { a: { status: 200, afterMs: 50 } } });
    await rig.accept(...calls(40));
    await rig.advance(0);
    expect(rig.seen).toHaveLength(32);
    await rig.advance(60);
    expect(rig.seen).toHaveLength(40);
    expect(rig.claimed()).toBe(8);
  });

  it("waits in the backlog and is not read from the store, once its receiver has shown that it answers", async () => {
    const rig = watch({ receivers: { a: { status: 200, afterMs: 50 } } });
    await warmUp(rig);
    const burst = LIMIT + 2 * (LIMIT - 32);
    await rig.accept(...calls(burst, "burst-"));
    await rig.advance(0);
    expect(rig.seen).toHaveLength(WARM + LIMIT);
    await rig.advance(400);
    expect(rig.seen).toHaveLength(WARM + burst);
    expect(rig.claimed()).toBe(0);
  });

  it("is released from the backlog when its lane becomes held", async () => {
    let status = 200;
    const rig = watch({ receivers: { a: () => ({ status, afterMs: 50 }) } });
    await warmUp(rig);
    status = 503;
    await rig.accept(...calls(100, "burst-"));
    await rig.advance(200);
    expect(rig.events.filter(({ kind }) => kind === "lane-held")).toHaveLength(1);
    expect((await rig.all()).filter(({ state }) => state === "claimed")).toHaveLength(0);
    // Sixty failures hold a lane; further rounds had begun by then, fewer with each failure.
    expect(rig.seen.length).toBeLessThanOrEqual(WARM + 75);
    status = 200;
    await rig.advance(HOUR);
    expect((await rig.all()).every(({ state }) => state === "delivered")).toBe(true);
  });

  it("is released from the backlog once its lease is too short, though the wall clock was set back", async () => {
    let afterMs = 50;
    let shared: DeliveryStore | undefined;
    const wrapStore = (store: DeliveryStore): DeliveryStore => (shared = store);
    const delivery = { timeoutMs: 9_000, leaseMs: 14_500 };
    const rig = createRig({ wrapStore, delivery, receivers: { a: () => ({ status: 200, afterMs }) } });
    await warmUp(rig);
    afterMs = 8_900;
    await rig.accept(...calls(100, "burst-"));
    await rig.advance(0);
    expect(rig.seen).toHaveLength(WARM + LIMIT);
    rig.clock.stepWall(-5 * HOUR);
    // The first poll brings a leased delivery forward to one lease from then; another process claims it there.
    await rig.advance(1_000 - rig.clock.monotonic());
    const claimed: string[] = [];
    rig.clock.after(delivery.leaseMs, () => {
      const lanes = [{ lane: CRM, limit: 100 }];
      void shared
        ?.claim({ lanes, token: "of another" as LeaseToken, leaseMs: 14_500 }, rig.clock.wall())
        .then((one) => {
          claimed.push(...one.deliveries.map(({ id }) => id));
        });
    });
    await rig.advance(delivery.leaseMs);
    expect(rig.seen).toHaveLength(WARM + 100);
    expect(claimed).toEqual([]);
    await rig.advance(10_000);
    expect(rig.events.filter(({ kind }) => kind === "stale")).toEqual([]);
    expect((await rig.all()).every(({ state }) => state === "delivered")).toBe(true);
  });

  it("is released from the backlog when a user is deleted, and is not sent if it is about that user", async () => {
    const rig = watch({ receivers: { a: { status: 200, afterMs: 50 } } });
    await warmUp(rig);
    await rig.accept(...calls(100, "burst-"));
    await rig.advance(0);
    const pending = rig.relay().requestDeletion({ userIds: ["u1"], regulation: "delete-only" });
    await rig.advance(400);
    (await pending)._unsafeUnwrap();
    expect(rig.seen.filter(({ body }) => body.includes("burst-"))).toHaveLength(LIMIT);
    expect((await rig.all()).filter(({ state }) => state === "claimed")).toHaveLength(0);
  });

  it("is released from the backlog as soon as the relay stops", async () => {
    const rig = watch({ receivers: { a: { status: 200, afterMs: 50 } } });
    await warmUp(rig);
    await rig.accept(...calls(100, "burst-"));
    await rig.advance(0);
    const stopped = rig.relay().stop();
    await rig.advance(20);
    expect((await rig.all()).filter(({ state }) => state === "waiting")).toHaveLength(100 - LIMIT);
    await rig.advance(100);
    await stopped;
    expect((await rig.all()).filter(({ state }) => state === "claimed")).toHaveLength(0);
  });

  it("does not overtake waiting deliveries", async () => {
    const rig = watch({ receivers: { a: { status: 200, afterMs: 50 } } });
    await rig.accept(...calls(33, "first-"));
    await rig.advance(1);
    await rig.accept(...calls(1, "second-"));
    await rig.advance(200);
    const order = rig.seen.map((one) => (JSON.parse(one.body) as { messageId: string }).messageId);
    expect(order.indexOf("second-0")).toBeGreaterThan(order.indexOf("first-32"));
  });

  it("waits if its destination is paused, and if no relay delivers", async () => {
    const rig = watch({ destinations: [destination("crm", ["a"], { paused: true })] });
    await rig.accept(track());
    await rig.advance(1_000);
    expect(await rig.only()).toMatchObject({ state: "waiting" });
    expect(rig.seen).toHaveLength(0);
  });

  it("keeps its slot for as long as its round runs, and no longer", async () => {
    const rig = watch({ receivers: { a: { status: 200, afterMs: 5 } } });
    for (let batch = 0; batch < 5; batch += 1) {
      await rig.accept(...calls(32, `batch-${String(batch)}-`));
      await rig.advance(10);
    }
    expect(rig.seen).toHaveLength(160);
    expect(rig.claimed()).toBe(0);
  });

  it("releases its slot when it turns out to be a duplicate", async () => {
    const rig = watch();
    for (let time = 0; time < 40; time += 1) {
      await rig.accept(track({ messageId: "again" }));
      await rig.advance(20);
    }
    await rig.accept(...calls(32));
    await rig.advance(0);
    expect(rig.seen).toHaveLength(33);
    expect(rig.claimed()).toBe(0);
  });

  it("that was under way in a crash is repeated once its lease has ended", async () => {
    const rig = watch({ receivers: { a: ({ nth }) => (nth === 1 ? "silent" : { status: 200 }) } });
    await rig.accept(track());
    await rig.advance(1_000);
    rig.crash();
    rig.restart();
    await rig.advance(28_000);
    expect(rig.seen).toHaveLength(1);
    await rig.advance(2_000);
    expect(rig.seen).toHaveLength(2);
    expect(await rig.only()).toMatchObject({ state: "delivered", attemptCount: 1 });
  });

  it("is safe before the relay has stopped, if it arrived before", async () => {
    const rig = createRig({ wrapStore: slowCommits(50) });
    let isAccepted = false;
    let wasAccepted: boolean | undefined;
    const accepting = rig.accept(track()).then(() => (isAccepted = true));
    const stopping = rig
      .relay()
      .stop()
      .then(() => (wasAccepted = isAccepted));
    await rig.advance(1_000);
    await Promise.all([accepting, stopping]);
    expect(wasAccepted).toBe(true);
  });

  it("that arrives as the relay stops is neither lost nor left under a lease", async () => {
    const rig = watch({ receivers: { a: { status: 200, afterMs: 50 } } });
    const arriving = rig.accept(...calls(3));
    const stopping = rig.relay().stop();
    await rig.advance(200);
    await stopping;
    expect((await arriving).map((one) => one.kind)).toEqual(["accepted", "accepted", "accepted"]);
    rig.restart();
    await rig.advance(1_000);
    expect((await rig.all()).map((one) => one.state)).toEqual(["delivered", "delivered", "delivered"]);
    expect(rig.seen).toHaveLength(3);
  });

  it("waits until a relay delivers", async () => {
    const ports = createMemoryPorts();
    const workspace = createRig().workspace([destination("crm", ["a"])]);
    const relay = createRelay({ ...ports, workspace });
    (await relay.accept({ source: WEBSITE, calls: [track()] }))._unsafeUnwrap();
    await ports.clock.advance(5_000);
    expect(ports.http.requests()).toHaveLength(0);
    relay.start();
    await ports.clock.advance(100);
    expect(ports.http.requests()).toHaveLength(1);
  });

  it("never makes its lane exceed its limit, whatever a claim returns meanwhile", async () => {
    let [open, most] = [0, 0];
    const clock = { now: (): Promise<void> => Promise.resolve() };
    const http = {
      send: async (): Promise<Reply> => {
        open += 1;
        most = Math.max(most, open);
        await clock.now();
        open -= 1;
        return { kind: "answered", status: 200, afterMs: 0, excerpt: new Uint8Array() };
      },
    };
    const paused = destination("crm", ["a"], { paused: true });
    const rig = createRig({ wrapStore: slowClaims, destinations: [paused], relay: { http } });
    clock.now = () => new Promise((resolve) => rig.clock.after(500, resolve));
    await rig.accept(...calls(20, "waiting-"));
    rig
      .relay()
      .configure(rig.workspace([destination("crm", ["a"])]))
      ._unsafeUnwrap();
    await rig.advance(20);
    await rig.accept(...calls(20, "meanwhile-"));
    await rig.advance(100);
    await rig.accept(...calls(20, "later-"));
    await rig.advance(5_000);
    expect(most).toBe(32);
    expect((await rig.all()).every((one) => one.state === "delivered")).toBe(true);
  });

  it("is not sent if a claim took it before its commit was answered", async () => {
    const wrapStore = (store: DeliveryStore, clock: ManualClock): DeliveryStore => ({
      ...store,
      // As if the clock was set forward after the question: the lease of the hand-off is over at once.
      commit: async (changes, now) => {
        const committed = await store.commit(changes, epochMs(now - HOUR));
        await new Promise<void>((resolve) => clock.after(1_500, resolve));
        return committed;
      },
    });
    const rig = createRig({ wrapStore });
    const accepting = rig.relay().accept({ source: WEBSITE, calls: [track()] });
    await rig.advance(1_600);
    (await accepting)._unsafeUnwrap();
    await rig.advance(60_000);
    expect(rig.seen).toHaveLength(1);
    expect((await rig.only()).state).toBe("delivered");
  });

  it("is retried like any other", async () => {
    const rig = watch({ receivers: { a: ({ nth }) => ({ status: nth < 3 ? 503 : 200 }) } });
    await rig.accept(track());
    await rig.advance(HOUR);
    expect(await rig.only()).toMatchObject({ state: "delivered", attemptCount: 3 });
    expect(rig.claimed()).toBe(2);
  });
});
