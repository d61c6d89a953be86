// Operators who pause destinations in a simulation, through crashes and faults of the store.

import { simulate, type SimulationOptions } from "@postrider/simulator";
import { describe, expect, it } from "vitest";

describe("an operator's pause in a simulation", () => {
  it("holds back its destination alone, through a crash, and what waited is delivered after it", async () => {
    const report = await simulate({
      receivers: { crm: {}, mail: {} },
      operatorPauses: [{ destination: "crm", fromMs: 0, untilMs: 600_000 }],
      faults: [{ kind: "crash", atMs: 30_000, downMs: 1_000 }],
      load: { calls: 60, overMs: 60_000 },
    });
    expect(report).toMatchObject({ calls: 60, total: { delivered: 120 } });
    expect(report.destinations["crm"]?.lagMs?.p50).toBeGreaterThan(500_000);
    expect(report.destinations["mail"]?.lagMs?.p50).toBeLessThan(100);
  });

  it("is asked for again until it is answered", async () => {
    const report = await simulate({
      receivers: { crm: {} },
      operatorPauses: [{ destination: "crm", fromMs: 5_000, untilMs: 20_000 }],
      faults: [
        { kind: "store", ails: "unavailable", fromMs: 4_000, untilMs: 12_000 },
        { kind: "stop", atMs: 19_000, downMs: 30_000 },
      ],
    });
    expect(report).toMatchObject({ calls: 50, total: { delivered: 50 } });
  });

  it.each<readonly [path: string, operatorPauses: unknown]>([
    ["operatorPauses", "crm"],
    ["operatorPauses[0].fromMs", [{ destination: "crm", untilMs: 1 }]],
    ["operatorPauses[0].untilMs", [{ destination: "crm", fromMs: 1, untilMs: "2" }]],
    ["operatorPauses[0].destination", [{ destination: "toString", fromMs: 1, untilMs: 2 }]],
  ])("is refused by its path: %s", async (path, operatorPauses) => {
    const options = { receivers: { crm: {} }, operatorPauses } as SimulationOptions;
    await expect(simulate(options)).rejects.toMatchObject({ problems: [{ path }] });
  });
});
