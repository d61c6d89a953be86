// Steps of the wall clock, and downtime of hours: they cause no burst, no delivery waits for a time that was never intended,
// and nothing that was never tried expires.

import type { DeliveryStore, LeaseToken } from "@postrider/core";
import type { ManualClock } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import {
  type Rig,
  createRig,
  CRM,
  destination,
  HOUR,
  type Receiver,
  slowClaims,
  slowCommits,
  storeError,
  track,
  WEBSITE,
} from "./rig.js";
import { failElsewhere } from "./fail-elsewhere.js";

const MINUTE = 60_000;
const many = (count: number) => Array.from({ length: count }, (_, index) => track({ messageId: `m${String(index)}` }));
const down: Receiver = () => ({ status: 503 });

/** The busiest second of a list of instants, in requests. */
function busiest(instants: readonly number[]): number {
  const seconds = new Map<number, number>();
  for (const instant of instants) {
    const second = Math.floor(instant / 1_000);
    seconds.set(second, (seconds.get(second) ?? 0) + 1);
  }
  return Math.max(...seconds.values());
}

/** In enough lanes that none of them becomes held. */
async function failedOnce(count: number, receiver: Receiver): Promise<Rig> {
  const lanes = Array.from({ length: count / 10 }, (_, index) =>
    destination(index === 0 ? CRM : `crm${String(index)}`, ["a"]),
  );
  const rig = createRig({ receivers: { a: receiver }, destinations: lanes });
  await rig.accept(...many(10));
  await rig.advance(2_000);
  expect(rig.seen).toHaveLength(count);
  return rig;
}

describe("after hours without a process", () => {
  it("retries are spread over the longest delay, and none is sent twice at once", async () => {
    let isDown = true;
    const rig = await failedOnce(600, () => ({ status: isDown ? 503 : 200 }));
    rig.crash();
    await rig.advance(2 * HOUR);
    isDown = false;
    rig.restart();
    const before = rig.seen.length;
    await rig.advance(15 * MINUTE + 2_000);
    const again = rig.seen.slice(before);
    expect(again).toHaveLength(600);
    expect(busiest(again.map((one) => one.at))).toBeLessThan(20);
    expect((await rig.all()).every((one) => one.state === "delivered")).toBe(true);
  });

  it("a delivery that was never tried goes out at once, however old it is", async () => {
    const rig = createRig({ destinations: [destination("crm", ["a"], { paused: true })] });
    await rig.accept(...many(100));
    rig.crash();
    await rig.advance(30 * 24 * HOUR);
    rig.restart();
    rig
      .relay()
      .configure(rig.workspace([destination("crm", ["a"])]))
      ._unsafeUnwrap();
    await rig.advance(1_000);
    expect((await rig.all()).map((one) => one.state)).toEqual(Array.from({ length: 100 }, () => "delivered"));
  });

  it("a delivery that is a few seconds late is not delayed", async () => {
    const rig = await failedOnce(10, ({ nth }) => ({ status: nth <= 10 ? 503 : 200 }));
    rig.crash();
    await rig.advance(50_000);
    rig.restart();
    await rig.advance(2_000);
    expect(rig.seen).toHaveLength(20);
  });
});

describe("a wall clock that is set forward", () => {
  it("by five hours ends no window that has not begun, and causes no burst", async () => {
    let isDown = true;
    const rig = await failedOnce(300, () => ({ status: isDown ? 503 : 200 }));
    rig.clock.stepWall(3 * HOUR);
    isDown = false;
    const before = rig.seen.length;
    await rig.advance(16 * MINUTE);
    const again = rig.seen.slice(before);
    expect(again).toHaveLength(300);
    // A claim may come between the step and the moment when the step is noticed.
    expect(busiest(again.map((one) => one.at))).toBeLessThan(64);
  });

  it("does not send a delivery again that is being settled", async () => {
    const rig = createRig({ wrapStore: slowCommits(1_500) });
    const accepting = rig.relay().accept({ source: WEBSITE, calls: [track()] });
    await rig.advance(1_600);
    expect(rig.seen).toHaveLength(1);
    rig.clock.stepWall(5 * HOUR);
    // The store is polled every second: the delivery is claimed while its settlement under the old lease is on its way.
    await rig.advance(MINUTE);
    (await accepting)._unsafeUnwrap();
    expect(rig.seen).toHaveLength(1);
    expect(await rig.only()).toMatchObject({ state: "delivered", attemptCount: 1 });
    expect(rig.events.filter((one) => one.kind === "stale")).toEqual([]);
  });

  it("does not send a delivery again whose settlement comes between its new lease and the answer about that", async () => {
    const rig = createRig({
      wrapStore: (store, clock) => slowClaims(store, clock, 2_000),
      receivers: { a: ({ nth }) => (nth === 1 ? { status: 503, afterMs: 2_500 } : { status: 200 }) },
    });
    await rig.accept(track());
    await rig.advance(100);
    rig.clock.stepWall(HOUR);
    await rig.advance(MINUTE);
    const { state, attempts } = await rig.only();
    expect({ state, rounds: attempts.map(({ round }) => round) }).toEqual({ state: "delivered", rounds: [1, 2] });
    expect(rig.seen).toHaveLength(2);
    expect(rig.events.filter((one) => one.kind === "stale")).toEqual([]);
  });

  it("does not send a delivery again whose round is under way", async () => {
    const rig = createRig({ receivers: { a: { status: 200, afterMs: 4_000 } } });
    await rig.accept(...many(5));
    await rig.advance(100);
    rig.clock.stepWall(5 * HOUR);
    await rig.advance(MINUTE);
    expect(rig.seen).toHaveLength(5);
    expect((await rig.all()).map((one) => one.state)).toEqual(Array.from({ length: 5 }, () => "delivered"));
    expect(rig.events.filter((one) => one.kind === "stale")).toEqual([]);
  });
});

describe("a wall clock that is set back", () => {
  it("by five hours delays nothing by more than the longest delay", async () => {
    const rig = await failedOnce(20, ({ nth }) => ({ status: nth <= 20 ? 503 : 200 }));
    rig.clock.stepWall(-5 * HOUR);
    await rig.advance(MINUTE);
    expect((await rig.all()).map((one) => one.state)).toEqual(Array.from({ length: 20 }, () => "delivered"));
    expect(rig.events).toContainEqual(
      expect.objectContaining({ kind: "pulled-in", destination: "crm", deliveries: 10 }),
    );
  });

  it.each(["pullIn", "lanes"] as const)("delays nothing either if %s fails at that moment", async (question) => {
    let fails = false;
    const unlessFailing = <T>(ask: () => Promise<T>): Promise<T> =>
      fails ? Promise.reject(storeError("busy")) : ask();
    const broken = (store: DeliveryStore): Pick<DeliveryStore, "lanes" | "pullIn"> => ({
      lanes: (page, now) => unlessFailing(() => store.lanes(page, now)),
      pullIn: (request, now) => unlessFailing(() => store.pullIn(request, now)),
    });
    const wrapStore = (store: DeliveryStore): DeliveryStore => ({ ...store, [question]: broken(store)[question] });
    const rig = createRig({ wrapStore, receivers: { a: ({ nth }) => ({ status: nth <= 20 ? 503 : 200 }) } });
    await rig.accept(...many(20));
    await rig.advance(1_000);
    fails = true;
    rig.clock.stepWall(-5 * HOUR);
    await rig.advance(10_000);
    fails = false;
    await rig.advance(MINUTE);
    expect((await rig.all()).map((one) => one.state)).toEqual(Array.from({ length: 20 }, () => "delivered"));
  });

  it("during downtime delays nothing for longer than a window", async () => {
    const rig = await failedOnce(20, down);
    rig.crash();
    rig.clock.stepWall(-5 * HOUR);
    rig.restart();
    const before = rig.seen.length;
    await rig.advance(MINUTE);
    expect(rig.seen.length).toBeGreaterThanOrEqual(before + 20);
  });

  it("does not take a living lease away from its process", async () => {
    const rig = createRig({ receivers: { a: { status: 200, afterMs: 4_000 } } });
    await rig.accept(...many(5));
    await rig.advance(100);
    rig.clock.stepWall(-5 * HOUR);
    await rig.advance(2 * MINUTE);
    expect(rig.seen).toHaveLength(5);
    expect(rig.events.filter((one) => one.kind === "stale")).toEqual([]);
  });

  it("does not take a living lease away from another process", async () => {
    let shared: DeliveryStore | undefined;
    const wrapStore = (store: DeliveryStore): DeliveryStore => (shared = store);
    const paused = destination("crm", ["a"], { paused: true });
    const rig = createRig({ wrapStore, destinations: [paused] });
    await rig.accept(track());
    const lease = { token: "of another" as LeaseToken, leaseMs: 30_000 };
    await shared?.claim({ lanes: [{ lane: CRM, limit: 1 }], ...lease }, rig.clock.wall());
    rig
      .relay()
      .configure(rig.workspace([destination("crm", ["a"])]))
      ._unsafeUnwrap();
    rig.clock.stepWall(-5 * HOUR);
    await rig.advance(29_000);
    expect(rig.seen).toHaveLength(0);
    await rig.advance(3_000);
    expect(rig.seen).toHaveLength(1);
  });

  it("does not make an endpoint wait longer than it asked for", async () => {
    const asks: Receiver = ({ nth }) => (nth === 1 ? { status: 429, retryAfter: "30" } : { status: 200 });
    const rig = createRig({ receivers: { a: asks } });
    await rig.accept(track({ messageId: "m1" }));
    await rig.advance(1_000);
    rig.clock.stepWall(-5 * HOUR);
    await rig.advance(25_000);
    expect(rig.seen).toHaveLength(1);
    await rig.advance(60_000);
    expect((await rig.only()).state).toBe("delivered");
  });
});

describe("a process that slept past its lease", () => {
  it("runs a further round if another process has recorded one meanwhile", async () => {
    let shared: DeliveryStore | undefined;
    const wrapStore = (store: DeliveryStore): DeliveryStore => (shared = store);
    const receiver: Receiver = ({ nth }) => (nth === 1 ? { status: 503, afterMs: 4_000 } : { status: 200 });
    const rig = createRig({ wrapStore, receivers: { a: receiver } });
    await rig.accept(track());
    await rig.advance(100);
    await failElsewhere(shared!, rig.clock.wall());
    await rig.advance(MINUTE);
    const { state, attempts } = await rig.only();
    expect({ state, rounds: attempts.map(({ round }) => round) }).toEqual({ state: "delivered", rounds: [1, 2] });
    expect(rig.events.filter((one) => one.kind === "stale")).toHaveLength(1);
  });
});

describe("maintenance", () => {
  it("works slice by slice, with other work in between", async () => {
    const slices: number[] = [];
    const times: number[] = [];
    const wrapStore = (store: DeliveryStore, clock: ManualClock): DeliveryStore => ({
      ...store,
      sweep: async (request, now) => {
        const swept = await store.sweep(request, now);
        if (swept > 0) slices.push(swept);
        if (swept > 0) times.push(clock.monotonic());
        return swept;
      },
    });
    const rig = createRig({ wrapStore, retention: { deliveredHours: 1, deadHours: 1 } });
    for (let batch = 0; batch < 3; batch += 1) {
      await rig.accept(
        ...Array.from({ length: 200 }, (_, n) => track({ messageId: `b${String(batch)}-${String(n)}` })),
      );
      await rig.advance(1_000);
    }
    await rig.advance(HOUR + 2 * MINUTE);
    expect(await rig.all()).toHaveLength(0);
    expect(Math.max(...slices)).toBe(250);
    expect(slices.reduce((sum, slice) => sum + slice, 0)).toBe(600);
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(20);
  });
});
