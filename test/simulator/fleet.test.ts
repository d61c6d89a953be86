// Several servers on one store, a few seeds of them: `npm run soak -- fleets` plays more.

import {
  CHECKS,
  drawFleet,
  drawSimulation,
  FLEET_CHECKS,
  simulate,
  type SimulationProgress,
  type SimulationOptions,
} from "@postrider/simulator";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { brokenBy } from "./broken-by.js";

const SEEDS = 30;
const FEW = 10;

describe("several servers on one store", () => {
  it("lose nothing, settle nothing twice and break no promise, for any seed", async () => {
    for (let seed = 1; seed <= SEEDS; seed += 1)
      expect({ seed, broken: await brokenBy(drawFleet(seed)) }).toEqual({ seed, broken: [] });
  });

  it("keep every promise if there is one of them, and nothing happens to it", async () => {
    for (let seed = 1; seed <= FEW; seed += 1)
      expect({ seed, broken: await brokenBy({ ...drawFleet(seed), servers: [{}] }) }).toEqual({ seed, broken: [] });
  });

  it("keep every promise without failures, whatever their clocks show, if each delivery is sent once", async () => {
    const servers = [{ aheadMs: 90_000 }, { aheadMs: -90_000, driftPpm: 100 }, {}];
    const { calls, total, processes } = await simulate({ receivers: { crm: {} }, servers, load: CALM });
    expect({ calls, processes }).toEqual({ calls: 60, processes: 3 });
    expect(total).toMatchObject({ delivered: 60, requests: 60 });
  });

  it("take calls and deliver while one of them is down", async () => {
    const crash = { kind: "crash", atMs: 10_005, downMs: 120_000 } as const;
    const told: SimulationProgress[] = [];
    const { total, processes } = await simulate({
      ...{ receivers: { crm: {} }, load: CALM, servers: [{ faults: [crash] }, {}] },
      onProgress: (progress) => told.push(progress),
    });
    expect(processes).toBe(3);
    expect(total).toMatchObject({ delivered: 60 });
    // The last report before the server is back.
    const { calls = 0, finished = 0 } = told.findLast(({ elapsedMs }) => elapsedMs < 130_000) ?? {};
    expect({ calls, finished }).toEqual({ calls: 60, finished: 60 });
  });

  it("are the same for the same seed, and different for another seed", async () => {
    const options = { ...drawFleet(3), servers: [{ aheadMs: 20 }, {}, {}] };
    const [once, again, other] = [
      await simulate(options),
      await simulate(options),
      await simulate({ ...options, seed: 4 }),
    ];
    expect(again).toEqual(once);
    expect(other.trace).not.toBe(once.trace);
  });
});

const CALM = { calls: 60, overMs: 60_000 };

describe("the draw of several servers", () => {
  it("has one to four of them, or as many as are asked for, whose clocks are off by up to 90 s", () => {
    const counts = new Set<number>();
    for (let seed = 1; seed <= 1_000; seed += 1) {
      const { servers = [] } = drawFleet(seed);
      counts.add(servers.length);
      for (const { aheadMs = 0 } of servers) expect(Math.abs(aheadMs)).toBeLessThanOrEqual(90_000);
      expect(servers[0]?.faults?.some(({ kind }) => kind === "crash")).toBe(true);
      expect(drawFleet(seed, { servers: 3 }).servers).toHaveLength(3);
    }
    expect([...counts].sort()).toEqual([1, 2, 3, 4]);
  });

  it("is made only where it is asked for", () => {
    for (let seed = 1; seed <= 1_000; seed += 1) expect(drawSimulation(seed)).not.toHaveProperty("servers");
  });
});

describe("wrong servers", () => {
  const crash = { kind: "crash", atMs: 0, downMs: 1 };
  it.each([
    ["servers", { servers: [] }],
    ["servers", { servers: Array.from({ length: 9 }, () => ({})) }],
    ["servers[1]", { servers: [{}, 7] }],
    ["servers[0].aheadMs", { servers: [{ aheadMs: Number.NaN }] }],
    ["servers[0].driftPpm", { servers: [{ driftPpm: "1" }] }],
    ["servers[0].faults", { servers: [{ faults: crash }] }],
    ["servers[0].faults[0].kind", { servers: [{ faults: [{ ...crash, kind: "store" }] }] }],
    ["servers[0].faults[0].downMs", { servers: [{ faults: [{ ...crash, downMs: Number.NaN }] }] }],
    ["faults[0].kind", { servers: [{}], faults: [crash] }],
  ])("are refused: %s", async (path, wrong) => {
    const options = { receivers: { crm: {} }, ...wrong } as unknown as SimulationOptions;
    await expect(simulate(options)).rejects.toMatchObject({ code: "bad-options", problems: [{ path }] });
  });
});

it("the guide has each check of several servers, in its words", () => {
  const guide = readFileSync("docs/guides/simulate.md", "utf8").split("## What is checked of several servers")[1] ?? "";
  const rows = [...guide.matchAll(/^\| `([a-z-]+)` +\| (.+?) +\|$/gm)].map(([, name, words]) => [name, words]);
  expect(Object.fromEntries(rows)).toEqual(FLEET_CHECKS);
});

it("docs/simulation.md has each promise of several servers", () => {
  const told = readFileSync("docs/simulation.md", "utf8").split("## Several servers")[1]?.split("\n## ")[0] ?? "";
  const names = [...told.matchAll(/^\| `([a-z-]+)` /gm)].map(([, name]) => name);
  expect(names).toEqual(Object.keys(FLEET_CHECKS));
});

it("no check has two meanings", () => {
  expect(Object.keys(FLEET_CHECKS).filter((name) => name in CHECKS)).toEqual([]);
});
