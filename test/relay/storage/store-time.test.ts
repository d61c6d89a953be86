// A relay on a store with a clock goes by that clock, however wrong the clock of its machine is.

import { type DeliveryStore, type EpochMs, epochMs, leaseToken, monoMs } from "@postrider/core";
import { createManualClock, type ManualClock } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { READ_TIME_EVERY_MS } from "../../../packages/relay/src/limits.js";
import { createStoreClock, createWatchedClock } from "../../../packages/relay/src/fleet/clock.js";
import { heldLease, instantOf, leaseEnd } from "../../../packages/relay/src/commits/lease.js";
import { createRig, type Rig, storeError, track, WEBSITE } from "../rig.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface SharedRig extends Rig {
  /** The number of readings of the store's clock. */
  readonly readings: () => number;
}

interface SharedOptions {
  /** By how much the clock of the machine is ahead of the store's. */
  readonly aheadMs: number;
  /** Answers instead of the clock of the store; the first reading is number 1. */
  readonly tell?: (time: EpochMs, reading: number, clock: ManualClock) => Promise<EpochMs>;
}

/** A relay whose store tells the true time. */
function createSharedRig({ aheadMs, tell = (time) => Promise.resolve(time) }: SharedOptions): SharedRig {
  let readings = 0;
  const rig = createRig({
    aheadMs,
    wrapStore: (store, clock) => ({
      ...byClock(store, clock),
      clock: {
        wall: () => {
          readings += 1;
          return tell(clock.wall(), readings, clock);
        },
      },
    }),
  });
  return { ...rig, readings: () => readings };
}

function byClock(store: DeliveryStore, clock: ManualClock): DeliveryStore {
  return {
    ...store,
    commit: (changes) => store.commit(changes, clock.wall()),
    claim: (request) => store.claim(request, clock.wall()),
    end: (request) => store.end(request, clock.wall()),
  };
}

describe("a relay on a store with a clock", () => {
  it.each([-HOUR, HOUR])("stores by the time of the store, with a machine that is %d ms ahead", async (aheadMs) => {
    const rig = createSharedRig({ aheadMs });
    const wallMs = rig.clock.wall();
    await rig.accept(track());
    await rig.advance(1_000);
    const { acceptedAt, attempts } = await rig.only();
    expect(acceptedAt).toBe(wallMs);
    expect(attempts.map(({ startedAt }) => startedAt)).toEqual([wallMs]);
  });

  it("answers no call before it knows the time", async () => {
    let tellTime: () => void = () => undefined;
    const tell = (time: EpochMs, reading: number) =>
      reading > 1 ? Promise.resolve(time) : new Promise<EpochMs>((resolve) => (tellTime = () => resolve(time)));
    const rig = createSharedRig({ aheadMs: HOUR, tell });
    const accepted = rig.relay().accept({ source: WEBSITE, calls: [track()] });
    await rig.advance(100);
    expect(await rig.all()).toEqual([]);
    tellTime();
    await rig.answer(accepted);
    expect(await rig.only()).toMatchObject({ acceptedAt: rig.clock.wall() });
  });

  it("is unavailable while the time cannot be read, and delivers once it can", async () => {
    let isBroken = true;
    const tell = (time: EpochMs) => (isBroken ? Promise.reject(storeError("unavailable")) : Promise.resolve(time));
    const rig = createSharedRig({ aheadMs: HOUR, tell });
    const refused = rig.relay().accept({ source: WEBSITE, calls: [track()] });
    await rig.advance(5_000);
    expect((await refused)._unsafeUnwrapErr()).toEqual({ code: "unavailable" });
    isBroken = false;
    await rig.accept(track());
    await rig.advance(5_000);
    expect(await rig.only()).toMatchObject({ state: "delivered" });
  });

  it("delivers what another process stored, once the time can be read", async () => {
    let isBroken = false;
    const tell = (time: EpochMs) => (isBroken ? Promise.reject(storeError("busy")) : Promise.resolve(time));
    const rig = createSharedRig({ aheadMs: -HOUR, tell });
    await rig.accept(track());
    rig.crash();
    isBroken = true;
    rig.restart();
    await rig.advance(5 * MINUTE);
    expect((await rig.only()).state).not.toBe("delivered");
    isBroken = false;
    await rig.advance(MINUTE);
    expect(await rig.only()).toMatchObject({ state: "delivered" });
  });

  it("begins nothing if it is stopped before it knows the time", async () => {
    const rig = createSharedRig({ aheadMs: 0, tell: () => Promise.reject(storeError("busy")) });
    const stopped = rig.relay().stop();
    await rig.advance(1_000);
    await stopped;
    const before = rig.readings();
    await rig.advance(MINUTE);
    expect(rig.readings()).toBe(before);
  });

  it("reads the time again at intervals", async () => {
    const rig = createSharedRig({ aheadMs: 0 });
    await rig.advance(6 * READ_TIME_EVERY_MS + 500);
    expect(rig.readings()).toBe(7);
  });

  it("reads up to eight times while the answers are late, and goes by the quickest", async () => {
    const latencies = [400, 300, 200, 40, 400, 400, 400, 400, 0];
    const tell = async (time: EpochMs, reading: number, clock: ManualClock): Promise<EpochMs> => {
      const storeTime = epochMs(time);
      await new Promise<void>((resolve) => clock.after(latencies[reading - 1] ?? 0, resolve));
      return storeTime;
    };
    const rig = createSharedRig({ aheadMs: HOUR, tell });
    const accepted = rig.relay().accept({ source: WEBSITE, calls: [track()] });
    await rig.advance(3_000);
    expect((await accepted).isOk()).toBe(true);
    expect(rig.readings()).toBe(8);
    const wallMs = rig.clock.wall();
    await rig.accept(track({ messageId: "second" }));
    // It was read at the question: half of 40 ms too early.
    expect((await rig.all()).map(({ acceptedAt }) => acceptedAt)).toContain(wallMs - 20);
  });

  it("goes by one late answer if no further one comes", async () => {
    const tell = async (time: EpochMs, reading: number, clock: ManualClock): Promise<EpochMs> => {
      if (reading > 1) throw storeError("unavailable");
      await new Promise<void>((resolve) => clock.after(400, resolve));
      return time;
    };
    const rig = createSharedRig({ aheadMs: HOUR, tell });
    const askedAt = rig.clock.wall();
    const accepted = rig.relay().accept({ source: WEBSITE, calls: [track()] });
    await rig.advance(400);
    expect((await accepted).isOk()).toBe(true);
    expect(await rig.only()).toMatchObject({ acceptedAt: askedAt + 200 });
  });

  it("does not follow a step of the machine's clock", async () => {
    let offMs = 0;
    const clock = createManualClock();
    const followed = createStoreClock({ ...clock, wall: () => epochMs(clock.wall() + offMs) });
    const wallMs = clock.wall();
    followed.set([{ askedAt: clock.monotonic(), time: wallMs, answeredAt: clock.monotonic() }]);
    offMs = HOUR;
    expect(followed.wall()).toBe(wallMs);
    expect(followed.isOld()).toBe(true);
  });

  it("reads the time anew after its machine has slept", async () => {
    const rig = createSharedRig({ aheadMs: HOUR });
    await rig.accept(track());
    // The monotonic clock stands still while the machine sleeps.
    rig.clock.stepWall(30 * MINUTE);
    await rig.advance(1_500);
    const wallMs = rig.clock.wall();
    await rig.accept(track({ messageId: "second" }));
    expect((await rig.all()).map(({ acceptedAt }) => acceptedAt)).toContain(wallMs);
  });
});

describe("a lease that is held", () => {
  const LEASE = { token: leaseToken("t"), leaseMs: MINUTE };

  it("has ended once its machine has slept for its length, although the monotonic clock stood still", () => {
    const clock = createManualClock();
    const followed = createStoreClock(clock);
    const lease = heldLease(LEASE, instantOf(followed));
    followed.set([{ askedAt: clock.monotonic(), time: clock.wall(), answeredAt: clock.monotonic() }]);
    clock.stepWall(MINUTE);
    const instant = instantOf(followed);
    expect(leaseEnd(lease, instant)).toBe(instant.wall);
  });

  it("has ended after its length, although the wall clock of its machine was set back meanwhile", async () => {
    const clock = createManualClock();
    const followed = createStoreClock(clock);
    const lease = heldLease(LEASE, instantOf(followed));
    await clock.advance(MINUTE);
    clock.stepWall(-HOUR);
    const instant = instantOf(followed);
    expect(leaseEnd(lease, instant)).toBe(instant.wall);
  });

  it("lasts its length from when it was asked for, whatever the store's clock is found to be meanwhile", () => {
    const clock = createManualClock();
    const followed = createStoreClock(clock);
    const lease = heldLease(LEASE, instantOf(followed));
    followed.set([{ askedAt: monoMs(0), time: epochMs(clock.wall() + HOUR), answeredAt: monoMs(0) }]);
    const instant = instantOf(followed);
    expect(leaseEnd(lease, instant) - instant.wall).toBe(MINUTE);
  });
});

describe("the clock of a relay that takes over", () => {
  it("follows the store's at once", () => {
    const clock = createManualClock();
    const former = createWatchedClock(createStoreClock(clock));
    former.set([{ askedAt: clock.monotonic(), time: epochMs(clock.wall() - HOUR), answeredAt: clock.monotonic() }]);
    const state = former.remember();
    const next = createWatchedClock(createStoreClock(clock, state.storeOffsetMs), state);
    expect(next.isSet()).toBe(true);
    expect(next.wall()).toBe(clock.wall() - HOUR);
  });

  it("takes the first reading for no step, and a later one for a step if it is one", () => {
    const clock = createManualClock();
    const watched = createWatchedClock(createStoreClock(clock));
    const learn = (aheadMs: number): void =>
      watched.set([
        { askedAt: clock.monotonic(), time: epochMs(clock.wall() + aheadMs), answeredAt: clock.monotonic() },
      ]);
    learn(-HOUR);
    expect(watched.wasSetBack()).toBe(false);
    expect(watched.claimingSince()).toBe(clock.wall() - HOUR);
    learn(-2 * HOUR);
    expect(watched.wasSetBack()).toBe(true);
  });
});
