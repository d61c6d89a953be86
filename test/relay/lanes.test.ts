// A lane adapts to its receiver, by the number of deliveries under way and by the times at which it is held and opens again,
// and never costs another lane anything.

import { describe, expect, it } from "vitest";
import { type Rig, createRig, destination, HOUR, type Receiver, track, url } from "./rig.js";

const MINUTE = 60_000;

const calls = (count: number, name = "m") =>
  Array.from({ length: count }, (_, index) => track({ messageId: `${name}${String(index)}` }));

const seenAt = (rig: Rig, name: string): readonly number[] =>
  rig.seen.filter((one) => one.url === url(name)).map((one) => one.at);

const kinds = (rig: Rig): readonly string[] =>
  rig.events.map(({ kind }) => kind).filter((kind) => kind.startsWith("lane-"));

describe("a lane whose receiver is quick", () => {
  it("has more and more under way, as long as its limit is the bound that is reached", async () => {
    const rig = createRig({ receivers: { a: { status: 200, afterMs: 100 } } });
    await rig.accept(...calls(1_000));
    const rounds: number[] = [rig.seen.length];
    for (let trip = 1; trip < 5; trip += 1) {
      const before = rig.seen.length;
      await rig.advance(100);
      rounds.push(rig.seen.length - before);
    }
    expect(rounds[0]).toBe(32);
    for (const [index, count] of rounds.slice(1).entries()) expect(count).toBeGreaterThan(rounds[index] ?? 0);
    await rig.advance(5_000);
    expect((await rig.all()).every(({ state }) => state === "delivered")).toBe(true);
  });
});

describe("a lane whose rounds fail", () => {
  /** Two hundred calls for a receiver that is down until the test lets it recover. */
  async function createHeldRig(down: Receiver): Promise<Rig> {
    const rig = createRig({ receivers: { a: down } });
    await rig.accept(...calls(200));
    await rig.advance(1_000);
    return rig;
  }

  it("is held after a while: only probes go out, less and less often", async () => {
    const rig = await createHeldRig(() => ({ status: 503 }));
    const before = rig.seen.length;
    expect(before).toBeLessThan(70);
    expect(kinds(rig)).toEqual(["lane-held"]);
    expect(rig.logged).toContainEqual(["warning", { code: "lane-held", destination: "crm" }]);
    await rig.advance(HOUR);
    const probes = seenAt(rig, "a").slice(before);
    const gaps = probes.slice(1).map((at, index) => at - (probes[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(10_000);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(75_100);
    expect(gaps.at(-1)).toBeGreaterThanOrEqual(60_000);
    expect(probes.length).toBeGreaterThan(40);
  });

  it("stores new deliveries as waiting, and probes with the one that is due first", async () => {
    const rig = await createHeldRig(() => ({ status: 503 }));
    const tried = new Set(rig.seen.map(({ body }) => body));
    await rig.accept(...calls(5, "meanwhile-"));
    await rig.advance(0);
    expect((await rig.all()).filter(({ state }) => state === "claimed")).toEqual([]);
    await rig.advance(8_000);
    const probe = rig.seen.at(-1)?.body ?? "";
    expect(tried.has(probe)).toBe(false);
    expect(probe).not.toContain("meanwhile");
  });

  it("ramps up again with the first probe that succeeds, and delivers all of it", async () => {
    let isDown = true;
    const rig = await createHeldRig(() => ({ status: isDown ? 503 : 200 }));
    await rig.advance(30 * MINUTE);
    isDown = false;
    const before = rig.seen.length;
    await rig.advance(76_000);
    expect(kinds(rig)).toEqual(["lane-held", "lane-open"]);
    const [probe = 0, ...ramp] = seenAt(rig, "a").slice(before);
    expect([15, 25, 35].map((ms) => ramp.filter((at) => at < probe + ms).length)).toEqual([1, 3, 7]);
    expect((await rig.all()).every(({ state }) => state === "delivered")).toBe(true);
  });

  it("delivers what was tried before, if its receiver recovers within the window", async () => {
    let isDown = true;
    const rig = await createHeldRig(() => ({ status: isDown ? 503 : 200 }));
    await rig.advance(4 * HOUR - 5 * MINUTE);
    isDown = false;
    await rig.advance(3 * MINUTE);
    expect((await rig.all()).every(({ state }) => state === "delivered")).toBe(true);
  });

  it("ends tried deliveries whose window is over, and never untried ones", async () => {
    const rig = await createHeldRig(() => ({ status: 503 }));
    const tried = new Set(rig.seen.map(({ body }) => body)).size;
    await rig.advance(4 * HOUR + MINUTE);
    const dead = (await rig.all()).filter(({ state }) => state === "dead");
    expect(dead.length).toBeGreaterThanOrEqual(tried);
    expect(dead.every(({ reason, attempts }) => reason === "expired" && attempts.length > 0)).toBe(true);
    expect(rig.events.some((one) => one.kind === "ended" && one.reason === "expired")).toBe(true);
  });

  it("is never held because of a single delivery", async () => {
    const rig = createRig({ receivers: { a: { status: 503 } } });
    await rig.accept(track());
    await rig.advance(4 * HOUR + MINUTE);
    expect(kinds(rig)).toEqual([]);
    expect(await rig.only()).toMatchObject({ state: "dead", reason: "expired" });
    expect(rig.seen.length).toBeGreaterThanOrEqual(12);
  });

  it("is not held because of local faults", async () => {
    const rig = createRig({ receivers: { a: ({ nth }) => (nth <= 300 ? { fault: "local" } : { status: 200 }) } });
    await rig.accept(...calls(100));
    await rig.advance(5 * MINUTE);
    expect(kinds(rig)).toEqual([]);
    expect((await rig.all()).every(({ state }) => state === "delivered")).toBe(true);
  });
});

describe("a receiver that hangs", () => {
  /** The delays of nine receivers that get a hundred messages a second each, beside one that hangs or works. */
  async function lags(hung: Receiver): Promise<readonly number[]> {
    const names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    const well = Object.fromEntries(names.map((name) => [name, { status: 200, afterMs: 20 }]));
    const rig = createRig({
      receivers: { ...well, z: hung },
      destinations: [...names, "z"].map((name) => destination(name, [name], { name })),
    });
    const backlog = Object.fromEntries(names.map((name) => [name, false]));
    for (let batch = 0; batch < 10; batch += 1) {
      await rig.accept(...calls(200, `backlog-${String(batch)}-`).map((call) => ({ ...call, integrations: backlog })));
    }
    const lag: number[] = [];
    for (let tick = 0; tick < 300; tick += 1) {
      const [before, at] = [rig.seen.length, rig.clock.wall()];
      await rig.accept(
        ...calls(1, `tick-${String(tick)}-`).map((call) => ({ ...call, integrations: { z: tick % 10 === 0 } })),
      );
      await rig.advance(10);
      for (const request of rig.seen.slice(before))
        if (request.body.includes("tick-") && request.url !== url("z")) lag.push(request.at - at);
    }
    return lag.sort((one, other) => one - other);
  }

  it("with a long backlog does not delay other lanes", async () => {
    const [hung, well] = [await lags(() => "silent"), await lags(() => ({ status: 200 }))];
    expect(hung).toHaveLength(9 * 300);
    const p99 = (all: readonly number[]): number => all[Math.floor(all.length * 0.99)] ?? NaN;
    expect(p99(hung)).toBeLessThanOrEqual(1.2 * p99(well));
  });
});

describe("a destination with a rate", () => {
  it("gets no more in any second than its rate and its burst, first attempts and retries alike", async () => {
    const limited = destination("crm", ["a"], { rateLimit: { perSecond: 20, burst: 5 } });
    const rig = createRig({
      receivers: { a: ({ nth }) => ({ status: nth % 3 === 0 ? 503 : 200 }) },
      destinations: [limited],
    });
    await rig.accept(...calls(300));
    await rig.advance(5 * MINUTE);
    const times = seenAt(rig, "a");
    expect(times.length).toBeGreaterThan(400);
    for (const [index, from] of times.entries()) {
      const within = times.slice(index).filter((at) => at < from + 1_000).length;
      expect(within).toBeLessThanOrEqual(25);
    }
    expect((await rig.all()).every(({ state }) => state === "delivered")).toBe(true);
  });

  it("gets deliveries at its rate while there are any, and its settings can change", async () => {
    const limited = destination("crm", ["a"], { rateLimit: { perSecond: 10, burst: 1 } });
    const rig = createRig({ destinations: [limited] });
    await rig.accept(...calls(200));
    await rig.advance(5_000);
    expect(rig.seen.length).toBeGreaterThanOrEqual(49);
    expect(rig.seen.length).toBeLessThanOrEqual(51);
    rig
      .relay()
      .configure(rig.workspace([destination("crm", ["a"])]))
      ._unsafeUnwrap();
    await rig.advance(500);
    expect(rig.seen).toHaveLength(200);
  });
});

describe("retries and first attempts", () => {
  it("share a lane one to four, if both are due", async () => {
    let isDown = true;
    const order: string[] = [];
    const rig = createRig({
      receivers: {
        a: ({ request }) => {
          if (!isDown) order.push(new TextDecoder().decode(request.body).includes("old-") ? "retry" : "first");
          return { status: isDown ? 503 : 200, afterMs: 50 };
        },
      },
      delivery: { firstRetryMs: 5_000 },
    });
    const paused = (isPaused: boolean): void => {
      const settings = rig.workspace([destination("crm", ["a"], { paused: isPaused })]);
      rig.relay().configure(settings)._unsafeUnwrap();
    };
    for (let batch = 0; batch < 10; batch += 1) {
      // Ten at a time, with a success in between, so that the lane is not held.
      isDown = true;
      await rig.accept(...calls(10, `old-${String(batch)}-`));
      await rig.advance(60);
      isDown = false;
      await rig.accept(...calls(1, `well-${String(batch)}-`));
      await rig.advance(60);
    }
    paused(true);
    await rig.accept(...calls(600, "new-"));
    await rig.advance(20_000);
    order.length = 0;
    paused(false);
    await rig.advance(60_000);
    const both = order.slice(0, order.lastIndexOf("retry") + 1);
    const retries = both.filter((one) => one === "retry").length;
    expect(retries).toBeGreaterThan(50);
    expect(retries / both.length).toBeGreaterThan(0.17);
    expect(retries / both.length).toBeLessThan(0.23);
  });
});
