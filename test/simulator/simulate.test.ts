import {
  CHECKS,
  drawSimulation,
  type SimulationProgress,
  simulate,
  type SimulationOptions,
} from "@postrider/simulator";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** A few seeds, on the sources; test/simulation plays more of them, on the build. */
const SEEDS = 20;

const OUTAGE: SimulationOptions = {
  receivers: {
    crm: { spells: [{ fromMs: 10_000, untilMs: 70_000, behaviour: { kind: "answers", status: 503 } }] },
    mail: [{ spreadMs: 40 }, { usually: { kind: "fails", fault: "dns" } }],
  },
  faults: [
    { kind: "crash", atMs: 20_000, downMs: 3_000, step: "commit-done" },
    { kind: "store", ails: "busy", fromMs: 30_000, untilMs: 40_000 },
  ],
};

describe("a simulation", () => {
  it("delivers all that came in, through an outage, a crash and a busy store", async () => {
    const { calls, total, destinations } = await simulate(OUTAGE);
    expect(calls).toBe(50);
    expect(total).toMatchObject({ deliveries: 100, delivered: 100, dead: {} });
    expect(destinations["crm"]?.requestsPerDelivery).toBeGreaterThan(1.5);
    expect(destinations["mail"]?.lagMs?.p50).toBeLessThan(100);
  });

  it("is the same for the same seed, and different for another seed", async () => {
    const [once, again, other] = [
      await simulate(OUTAGE),
      await simulate(OUTAGE),
      await simulate({ ...OUTAGE, seed: 2 }),
    ];
    expect(again).toEqual(once);
    expect(other.trace).not.toBe(once.trace);
  });

  it("keeps every promise, for any seed", async () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) await simulate(drawSimulation(seed));
  });

  it("is drawn with 50 calls to 3 destinations, a crash and two more faults, at least", () => {
    for (let seed = 1; seed <= 10_000; seed += 1) {
      const { load, receivers, faults = [] } = drawSimulation(seed);
      expect(load?.calls).toBeGreaterThanOrEqual(50);
      expect(Object.keys(receivers)).toHaveLength(3);
      expect(faults.filter(({ kind }) => kind === "crash").length).toBeGreaterThanOrEqual(1);
      expect(faults.length).toBeGreaterThanOrEqual(3);
    }
  });

  it("reports its progress", async () => {
    const told: SimulationProgress[] = [];
    await simulate({ ...OUTAGE, onProgress: (progress) => told.push(progress) });
    expect(told).toHaveLength(20);
    expect(told.at(-1)).toMatchObject({ elapsedMs: 70_000, ofMs: 70_000, calls: 50 });
  });

  it("reports the dead deliveries, with their reasons", async () => {
    const receivers = {
      crm: { usually: { kind: "answers", status: 422 } },
      mail: { usually: { kind: "hangs" } },
    } as const;
    const { total, destinations } = await simulate({ receivers, policy: { retryWindowMs: 60_000 } });
    expect(total.dead).toEqual({ refused: 50, expired: 50 });
    expect(destinations["crm"]).toMatchObject({ delivered: 0, requests: 50, requestsPerDelivery: 1, lagMs: null });
  });

  const answers = (afterMs = 20) => ({ kind: "answers", status: 200, afterMs }) as const;

  it("has receivers that fail by chance, in the given share of requests", async () => {
    const receivers = { crm: { usually: { kind: "troubled", usually: answers(), errors: 0.2 } } } as const;
    const { total } = await simulate({ receivers, load: { calls: 1_000, overMs: 60_000 } });
    expect(total.delivered).toBe(1_000);
    expect(total.requestsPerDelivery).toBeGreaterThan(1.18);
    expect(total.requestsPerDelivery).toBeLessThan(1.33);
  });

  it("has receivers that never accept certain messages, which does not delay the others", async () => {
    const receivers = { crm: { usually: { kind: "troubled", usually: answers(), poisoned: 0.3 } } } as const;
    const { total } = await simulate({ receivers, load: { calls: 500, overMs: 60_000, perArrival: 50 } });
    expect(total.dead.expired).toBeGreaterThan(100);
    expect(total.dead.expired).toBeLessThan(200);
    expect(total.delivered + (total.dead.expired ?? 0)).toBe(500);
    expect(total.lagMs?.p99).toBeLessThan(2_000);
  });

  it("has receivers that handle a limited number of requests at once, slow ones as well", async () => {
    const receivers = { crm: { usually: { kind: "troubled", usually: answers(4_500), bears: 5 } } } as const;
    const { total } = await simulate({ receivers, load: { calls: 20, overMs: 1_000, perArrival: 10 } });
    expect(total.delivered).toBe(20);
    expect(total.requestsPerDelivery).toBeGreaterThan(1.2);
  });

  it("cannot start with bad settings", async () => {
    await expect(simulate({ receivers: { crm: [] } })).rejects.toThrow("destinations[0].endpoints");
  });
});

it("the guide has each check, in its words", () => {
  const guide = readFileSync("docs/guides/simulate.md", "utf8").split("## What is checked")[1] ?? "";
  const rows = [...guide.matchAll(/^\| `([a-z-]+)` +\| (.+?) +\|$/gm)].map(([, name, words]) => [name, words]);
  expect(Object.fromEntries(rows)).toEqual(CHECKS);
});
