import { drawSimulation, simulate, type SimulationOptions } from "@postrider/testkit/simulator";
import { describe, expect, it } from "vitest";

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
    expect(destinations["crm"]?.requestsPerDelivery).toBeGreaterThan(2);
    expect(destinations["mail"]?.lagMs?.p50).toBeLessThan(100);
  });

  it("goes the same way from the same seed, and another from another", async () => {
    const [once, again, other] = [
      await simulate(OUTAGE),
      await simulate(OUTAGE),
      await simulate({ ...OUTAGE, seed: 2 }),
    ];
    expect(again).toEqual(once);
    expect(other.trace).not.toBe(once.trace);
  });

  it("keeps every promise, whatever a seed draws", async () => {
    for (let seed = 1; seed <= 100; seed += 1) await simulate(drawSimulation(seed));
  }, 60_000);
});
