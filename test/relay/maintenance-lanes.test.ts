// The work of a relay for lanes that may not be claimed from, or whose deliveries other processes have stored: waiting
// deliveries outlast their retention, the work of other processes is found in any number of lanes, and a lane that runs
// empty keeps its rate.

import type { DeliveryStore } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { type Rig, createRig, destination, HOUR, track, url } from "./rig.js";

const MINUTE = 60_000;
const SHORT = { deliveredHours: 1, deadHours: 1 };

const calls = (count: number, name = "m") =>
  Array.from({ length: count }, (_, index) => track({ messageId: `${name}${String(index)}` }));

const states = async (rig: Rig): Promise<ReadonlySet<string>> => new Set((await rig.all()).map(({ state }) => state));

describe("a destination without attempts for longer than the retention of dead deliveries", () => {
  it.each([{ paused: true }, { enabled: false }])(
    "%j keeps deliveries that were never tried, and gets them afterwards",
    async (closed) => {
      const rig = createRig({ retention: SHORT, relay: { pollMs: MINUTE } });
      rig
        .relay()
        .configure(rig.workspace([destination("crm", ["a"], { paused: true })]))
        ._unsafeUnwrap();
      await rig.accept(...calls(5));
      rig
        .relay()
        .configure(rig.workspace([destination("crm", ["a"], closed)]))
        ._unsafeUnwrap();
      await rig.advance(3 * HOUR);
      expect(await states(rig)).toEqual(new Set(["waiting"]));
      rig
        .relay()
        .configure(rig.workspace([destination("crm", ["a"])]))
        ._unsafeUnwrap();
      await rig.advance(MINUTE);
      expect(await states(rig)).toEqual(new Set(["delivered"]));
    },
  );

  it("because its receiver is down keeps deliveries that were never tried too", async () => {
    let isDown = true;
    const receivers = { a: () => ({ status: isDown ? 503 : 200 }) };
    const rig = createRig({ receivers, retention: SHORT, relay: { pollMs: MINUTE } });
    await rig.accept(...calls(300));
    await rig.advance(2 * HOUR);
    isDown = false;
    await rig.advance(30 * MINUTE);
    expect(await states(rig)).toEqual(new Set(["delivered"]));
  });

  it("that was removed from the settings keeps nothing", async () => {
    const rig = createRig({ retention: SHORT, relay: { pollMs: MINUTE } });
    rig
      .relay()
      .configure(rig.workspace([destination("crm", ["a"], { paused: true })]))
      ._unsafeUnwrap();
    await rig.accept(...calls(5));
    rig.relay().configure(rig.workspace([]))._unsafeUnwrap();
    await rig.advance(HOUR + 2 * MINUTE);
    expect(rig.events).toContainEqual(
      expect.objectContaining({
        kind: "ended",
        destination: "crm",
        reason: "destination-removed",
        deliveries: 5,
      }),
    );
  });
});

describe("lanes with deliveries of another process", () => {
  it("are all found, also after a page of lanes that keep waiting", async () => {
    const names = Array.from({ length: 501 }, (_, index) => `crm${String(index).padStart(3, "0")}`);
    const open = names.slice(-1);
    const lanes = (isPaused: (name: string) => boolean) =>
      names.map((name) => destination(name, ["a"], { name, paused: isPaused(name) }));
    const rig = createRig({ receivers: { a: { status: 200 } }, destinations: lanes(() => true) });
    await rig.accept(track());
    rig.crash();
    rig.restart();
    rig
      .relay()
      .configure(rig.workspace(lanes((name) => !open.includes(name))))
      ._unsafeUnwrap();
    await rig.advance(5_000);
    const delivered = (await rig.all()).filter(({ state }) => state === "delivered");
    expect(delivered.map(({ destination: lane }) => lane)).toEqual(open);
  });
});

describe("a lane that runs empty between two bursts", () => {
  it("keeps the rest of its rate", async () => {
    const limited = destination("crm", ["a"], { rateLimit: { perSecond: 1, burst: 5 } });
    const rig = createRig({ destinations: [limited] });
    for (let burst = 0; burst < 5; burst += 1) {
      await rig.accept(...calls(5, `burst-${String(burst)}-`));
      await rig.advance(3_000);
    }
    // Five at once, and one a second over fifteen seconds.
    expect(rig.seen.length).toBeLessThanOrEqual(20);
    expect(rig.seen.length).toBeGreaterThanOrEqual(19);
  });

  it("keeps its pace", async () => {
    const rig = createRig({ receivers: { a: { status: 200, afterMs: 100 } } });
    const atOnce = async (name: string): Promise<number> => {
      const before = rig.seen.length;
      await rig.accept(...calls(500, name));
      const begun = rig.seen.length - before;
      await rig.advance(10_000);
      return begun;
    };
    const [first, second] = [await atOnce("first-"), await atOnce("second-")];
    expect(rig.seen.filter((one) => one.url === url("a"))).toHaveLength(1_000);
    expect(second).toBeGreaterThan(2 * first);
  });
});

describe("a process that starts during a hold of a receiver", () => {
  it("keeps the hold that the process before was asked for", async () => {
    const rig = createRig({
      receivers: { a: ({ nth }) => (nth === 1 ? { status: 503, retryAfter: "240" } : { status: 200 }) },
      delivery: { firstRetryMs: 5_000, maxRetryMs: 10_000 },
    });
    await rig.accept(track());
    await rig.advance(10_000);
    rig.crash();
    rig.restart();
    await rig.advance(225_000);
    expect(rig.seen).toHaveLength(1);
    await rig.advance(2 * MINUTE);
    expect(await rig.only()).toMatchObject({ state: "delivered", attemptCount: 2 });
  });
});

describe("a replay of many", () => {
  it.each([
    { limit: 2, replayed: 2, more: true },
    { limit: 3, replayed: 3, more: false },
    { limit: 4, replayed: 3, more: false },
  ])("of three tells whether there are more: $limit", async ({ limit, replayed, more }) => {
    const rig = createRig({ receivers: { a: { status: 422 } } });
    await rig.accept(...calls(3));
    await rig.advance(1_000);
    expect(await states(rig)).toEqual(new Set(["dead"]));
    const lane = destination("crm", ["a"]).id;
    expect(await rig.answer(rig.relay().replayMany({ destination: lane, limit }))).toEqual({ replayed, more });
  });
});

describe("duplicates", () => {
  it("use nothing of a lane's rate", async () => {
    const limited = destination("crm", ["a"], { rateLimit: { perSecond: 1, burst: 5 } });
    const rig = createRig({ destinations: [limited] });
    for (let time = 0; time < 20; time += 1) await rig.accept(...calls(1));
    await rig.accept(...calls(5));
    await rig.advance(20);
    expect(rig.seen).toHaveLength(5);
  });
});

describe("a relay that is started twice", () => {
  it("asks for lanes as often as one that is started once, and not after it was stopped", async () => {
    let callCount = 0;
    const wrapStore = ({ laneChanges: _, ...store }: DeliveryStore): DeliveryStore => ({
      ...store,
      lanes: (page, now) => {
        callCount += 1;
        return store.lanes(page, now);
      },
    });
    const rig = createRig({ wrapStore, relay: { pollMs: 1_000 } });
    rig.relay().start();
    await rig.advance(9_500);
    expect(callCount).toBe(10);
    await rig.relay().stop();
    await rig.advance(10_000);
    expect(callCount).toBe(10);
  });
});
