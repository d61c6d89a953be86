// Audiences in a simulation: what is drawn, what is refused, and that syncs and requests about users are played to their ends.

import { drawSimulation, simulate, type SimulatedAudience, type SimulationOptions } from "@postrider/simulator";
import { describe, expect, it } from "vitest";

const BUYERS: SimulatedAudience = {
  kind: "audience",
  sendsAs: "identify",
  destinations: ["crm"],
  users: 30,
  turnover: 0.3,
  syncs: 4,
  firstAtMs: 1_000,
  everyMs: 20_000,
};

const OPTIONS: SimulationOptions = {
  receivers: { crm: {}, mail: {} },
  audiences: { buyers: BUYERS, score: { ...BUYERS, kind: "trait", destinations: ["crm", "mail"], givesWithinMs: 500 } },
  deletions: [
    { atMs: 5_000, regulation: "delete-only", users: [0, 1] },
    { atMs: 25_000, regulation: "suppress-with-delete", users: [1, 2] },
    { atMs: 45_000, regulation: "unsuppress", users: [2] },
  ],
  faults: [
    { kind: "crash", atMs: 21_000, downMs: 2_000, step: "audience-done" },
    { kind: "store", ails: "unavailable", fromMs: 41_000, untilMs: 44_000 },
  ],
};

describe("a simulation with audiences", () => {
  it("syncs each as often as it is to be, through a crash and a store that fails", async () => {
    const { calls, syncs, changes, processes, total } = await simulate(OPTIONS);
    expect({ calls, syncs, processes }).toEqual({ calls: 50, syncs: 8, processes: 2 });
    // At least half of 30 users at first, for three audiences and destinations.
    expect(changes).toBeGreaterThan(3 * 10);
    expect(total.deliveries).toBeGreaterThan(2 * calls + changes);
  });

  it("is the same for the same seed", async () => {
    expect(await simulate(OPTIONS)).toEqual(await simulate(OPTIONS));
  });

  it("confirms that more than half of the members leave, when it is asked to", async () => {
    const audiences = { buyers: { ...BUYERS, turnover: 1, users: 60 } };
    const { syncs } = await simulate({ receivers: OPTIONS.receivers, audiences });
    expect(syncs).toBe(4);
  });

  it("syncs nothing without audiences", async () => {
    const { syncs, changes } = await simulate({ receivers: { crm: {} } });
    expect({ syncs, changes }).toEqual({ syncs: 0, changes: 0 });
  });

  it("is drawn by one seed of ten, with a crash in the middle of a change", () => {
    const drawn = Array.from({ length: 1_000 }, (_, seed) => drawSimulation(seed)).filter(({ audiences }) => audiences);
    expect(drawn.length).toBeGreaterThan(70);
    expect(drawn.length).toBeLessThan(130);
    for (const { audiences = {}, faults = [] } of drawn) {
      expect(Object.keys(audiences).length).toBeLessThanOrEqual(2);
      expect(faults.filter((fault) => fault.kind === "crash" && fault.step !== undefined).length).toBeGreaterThan(1);
    }
  });
});

describe("wrong audiences are refused by their paths", () => {
  const wrong: readonly (readonly [string, object])[] = [
    ["audiences", { audiences: [] }],
    ["audiences.Buyers", { audiences: { Buyers: BUYERS } }],
    ["audiences.buyers", { audiences: { buyers: null } }],
    ["audiences.buyers.kind", { audiences: { buyers: { ...BUYERS, kind: "list" } } }],
    ["audiences.buyers.sendsAs", { audiences: { buyers: { ...BUYERS, sendsAs: "page" } } }],
    ["audiences.buyers.destinations", { audiences: { buyers: { ...BUYERS, destinations: ["none"] } } }],
    ["audiences.buyers.destinations", { audiences: { buyers: { ...BUYERS, destinations: [] } } }],
    ["audiences.buyers.users", { audiences: { buyers: { ...BUYERS, users: 10_001 } } }],
    ["audiences.buyers.turnover", { audiences: { buyers: { ...BUYERS, turnover: 2 } } }],
    ["audiences.buyers.syncs", { audiences: { buyers: { ...BUYERS, syncs: 1_001 } } }],
    ["audiences.buyers.firstAtMs", { audiences: { buyers: { ...BUYERS, firstAtMs: -1 } } }],
    ["audiences.buyers.everyMs", { audiences: { buyers: { ...BUYERS, everyMs: NaN } } }],
    ["audiences.buyers.givesWithinMs", { audiences: { buyers: { ...BUYERS, givesWithinMs: "1" } } }],
    ["deletions", { deletions: {} }],
    ["deletions", { audiences: undefined, deletions: [{ atMs: 1, regulation: "delete-only", users: [1] }] }],
    ["deletions[0]", { deletions: [null] }],
    ["deletions[0].atMs", { deletions: [{ atMs: -1, regulation: "delete-only", users: [1] }] }],
    ["deletions[0].regulation", { deletions: [{ atMs: 1, regulation: "forget", users: [1] }] }],
    ["deletions[0].users", { deletions: [{ atMs: 1, regulation: "delete-only", users: [10_000] }] }],
    ["deletions[0].users", { deletions: [{ atMs: 1, regulation: "delete-only", users: [] }] }],
  ];

  it.each(wrong)("%s: %j", async (path, change) => {
    const options = { receivers: { crm: {} }, audiences: { buyers: BUYERS }, ...change } as SimulationOptions;
    await expect(simulate(options)).rejects.toMatchObject({ problems: [{ path }] });
  });
});
