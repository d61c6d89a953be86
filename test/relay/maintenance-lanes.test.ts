// The work of a relay for lanes that may not be claimed from, or whose deliveries other processes have stored: waiting
// deliveries outlast their retention, the work of other processes is found in any number of lanes, and a lane that runs
// empty keeps its rate.

import type { DeliveryStore } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { type Bench, createBench, destination, HOUR, track, url } from "./rig.js";

const MINUTE = 60_000;
const SHORT = { deliveredHours: 1, deadHours: 1 };

const calls = (count: number, name = "m") =>
  Array.from({ length: count }, (_, index) => track({ messageId: `${name}${String(index)}` }));

const states = async (bench: Bench): Promise<ReadonlySet<string>> =>
  new Set((await bench.all()).map(({ state }) => state));

describe("a destination without attempts for longer than the retention of dead deliveries", () => {
  it.each([{ paused: true }, { enabled: false }])(
    "%j keeps deliveries that were never tried, and gets them afterwards",
    async (closed) => {
      const bench = createBench({ retention: SHORT, relay: { pollMs: MINUTE } });
      bench
        .relay()
        .configure(bench.workspace([destination("crm", ["a"], { paused: true })]))
        ._unsafeUnwrap();
      await bench.accept(...calls(5));
      bench
        .relay()
        .configure(bench.workspace([destination("crm", ["a"], closed)]))
        ._unsafeUnwrap();
      await bench.advance(3 * HOUR);
      expect(await states(bench)).toEqual(new Set(["waiting"]));
      bench
        .relay()
        .configure(bench.workspace([destination("crm", ["a"])]))
        ._unsafeUnwrap();
      await bench.advance(MINUTE);
      expect(await states(bench)).toEqual(new Set(["delivered"]));
    },
  );

  it("because its receiver is down keeps deliveries that were never tried too", async () => {
    let isDown = true;
    const receivers = { a: () => ({ status: isDown ? 503 : 200 }) };
    const bench = createBench({ receivers, retention: SHORT, relay: { pollMs: MINUTE } });
    await bench.accept(...calls(300));
    await bench.advance(2 * HOUR);
    isDown = false;
    await bench.advance(30 * MINUTE);
    expect(await states(bench)).toEqual(new Set(["delivered"]));
  });

  it("that was removed from the settings keeps nothing", async () => {
    const bench = createBench({ retention: SHORT, relay: { pollMs: MINUTE } });
    bench
      .relay()
      .configure(bench.workspace([destination("crm", ["a"], { paused: true })]))
      ._unsafeUnwrap();
    await bench.accept(...calls(5));
    bench.relay().configure(bench.workspace([]))._unsafeUnwrap();
    await bench.advance(HOUR + 2 * MINUTE);
    expect(bench.events).toContainEqual({
      kind: "ended",
      destination: "crm",
      reason: "destination-removed",
      deliveries: 5,
    });
  });
});

describe("lanes with deliveries of another process", () => {
  it("are all found, also after a page of lanes that keep waiting", async () => {
    const names = Array.from({ length: 501 }, (_, index) => `crm${String(index).padStart(3, "0")}`);
    const open = names.slice(-1);
    const lanes = (isPaused: (name: string) => boolean) =>
      names.map((name) => destination(name, ["a"], { name, paused: isPaused(name) }));
    const bench = createBench({ receivers: { a: { status: 200 } }, destinations: lanes(() => true) });
    await bench.accept(track());
    bench.crash();
    bench.restart();
    bench
      .relay()
      .configure(bench.workspace(lanes((name) => !open.includes(name))))
      ._unsafeUnwrap();
    await bench.advance(5_000);
    const delivered = (await bench.all()).filter(({ state }) => state === "delivered");
    expect(delivered.map(({ destination: lane }) => lane)).toEqual(open);
  });
});

describe("a lane that runs empty between two bursts", () => {
  it("keeps the rest of its rate", async () => {
    const limited = destination("crm", ["a"], { rateLimit: { perSecond: 1, burst: 5 } });
    const bench = createBench({ destinations: [limited] });
    for (let burst = 0; burst < 5; burst += 1) {
      await bench.accept(...calls(5, `burst-${String(burst)}-`));
      await bench.advance(3_000);
    }
    // Five at once, and one a second over fifteen seconds.
    expect(bench.seen.length).toBeLessThanOrEqual(20);
    expect(bench.seen.length).toBeGreaterThanOrEqual(19);
  });

  it("keeps its pace", async () => {
    const bench = createBench({ receivers: { a: { status: 200, afterMs: 100 } } });
    const atOnce = async (name: string): Promise<number> => {
      const before = bench.seen.length;
      await bench.accept(...calls(500, name));
      const begun = bench.seen.length - before;
      await bench.advance(10_000);
      return begun;
    };
    const [first, second] = [await atOnce("first-"), await atOnce("second-")];
    expect(bench.seen.filter((one) => one.url === url("a"))).toHaveLength(1_000);
    expect(second).toBeGreaterThan(2 * first);
  });
});

describe("a process that starts during a hold of a receiver", () => {
  it("keeps the hold that the process before was asked for", async () => {
    const bench = createBench({
      receivers: { a: ({ nth }) => (nth === 1 ? { status: 503, retryAfter: "240" } : { status: 200 }) },
      delivery: { firstRetryMs: 5_000, maxRetryMs: 10_000 },
    });
    await bench.accept(track());
    await bench.advance(10_000);
    bench.crash();
    bench.restart();
    await bench.advance(225_000);
    expect(bench.seen).toHaveLength(1);
    await bench.advance(2 * MINUTE);
    expect(await bench.only()).toMatchObject({ state: "delivered", attemptCount: 2 });
  });
});

describe("a replay of many", () => {
  it.each([
    { limit: 2, replayed: 2, more: true },
    { limit: 3, replayed: 3, more: false },
    { limit: 4, replayed: 3, more: false },
  ])("of three tells whether there are more: $limit", async ({ limit, replayed, more }) => {
    const bench = createBench({ receivers: { a: { status: 410 } } });
    await bench.accept(...calls(3));
    await bench.advance(1_000);
    expect(await states(bench)).toEqual(new Set(["dead"]));
    const lane = destination("crm", ["a"]).id;
    expect(await bench.answer(bench.relay().replayMany({ destination: lane, limit }))).toEqual({ replayed, more });
  });
});

describe("duplicates", () => {
  it("use nothing of a lane's rate", async () => {
    const limited = destination("crm", ["a"], { rateLimit: { perSecond: 1, burst: 5 } });
    const bench = createBench({ destinations: [limited] });
    for (let time = 0; time < 20; time += 1) await bench.accept(...calls(1));
    await bench.accept(...calls(5));
    await bench.advance(20);
    expect(bench.seen).toHaveLength(5);
  });
});

describe("a relay that is started twice", () => {
  it("asks for lanes as often as one that is started once, and not after it was stopped", async () => {
    let asked = 0;
    const wrapStore = (store: DeliveryStore): DeliveryStore => ({
      ...store,
      lanes: (page, now) => {
        asked += 1;
        return store.lanes(page, now);
      },
    });
    const bench = createBench({ wrapStore, relay: { pollMs: 1_000 } });
    bench.relay().start();
    await bench.advance(9_500);
    expect(asked).toBe(10);
    await bench.relay().stop();
    await bench.advance(10_000);
    expect(asked).toBe(10);
  });
});
