// What a report says about the receivers and the backlog, and which options are refused.

import { readFileSync } from "node:fs";
import type { RetrySchedule, ScheduleInput } from "@postrider/core";
import { simulate, type SimulationOptions } from "@postrider/simulator";
import { describe, expect, it } from "vitest";

const MINUTE = 60_000;
const down = (fromMs: number, untilMs: number) => ({
  spells: [{ fromMs, untilMs, behaviour: { kind: "answers", status: 503, afterMs: 20 } as const }],
});

describe("the report of a simulation", () => {
  it("names the receiver's worst second, wherever it begins", async () => {
    const load = { calls: 60, overMs: 600, perArrival: 20 };
    const { destinations } = await simulate({ receivers: { crm: {} }, load });
    // 20 calls each 200 ms: all 60 fall into the second from the first request on.
    expect(destinations["crm"]?.worstSecond).toEqual({ requests: 60, atMs: expect.any(Number) as number });
    expect(destinations["crm"]?.worstSecond?.atMs).toBeLessThan(100);

    // 20 calls at 0, 800 and 1,600 ms, then at 0, 900 and 1,800 ms: two of three in any second, of the clock or not.
    const across = await simulate({ receivers: { crm: {} }, load: { calls: 60, overMs: 2_400, perArrival: 20 } });
    expect(across.total.worstSecond?.requests).toBe(40);
    expect(across.total.worstSecond?.atMs).toBeLessThan(100);
    const shifted = await simulate({ receivers: { crm: {} }, load: { calls: 60, overMs: 2_700, perArrival: 20 } });
    expect(shifted.total.worstSecond?.requests).toBe(40);

    const slow = await simulate({ receivers: { crm: {} }, load: { calls: 60, overMs: 60_000, perArrival: 20 } });
    expect(slow.total.worstSecond?.requests).toBe(20);
  });

  it("counts the worst second for each receiver, not for a destination with several", async () => {
    const { total } = await simulate({ receivers: { crm: [{}, {}] }, load: { calls: 10, overMs: 1, perArrival: 10 } });
    expect(total.requests).toBe(20);
    expect(total.worstSecond?.requests).toBe(10);
  });

  it("says for how long a destination was held, and which share of its deliveries waited for a probe", async () => {
    const outage = down(10 * MINUTE, 40 * MINUTE);
    const load = { calls: 600, overMs: 60 * MINUTE };
    const { destinations, total } = await simulate({ receivers: { crm: outage, other: {} }, load });
    const { crm, other } = destinations;
    // Held from the 60th failure in a row, about six minutes into the outage, until the first probe after it.
    expect(crm?.heldMs).toBeGreaterThan(20 * MINUTE);
    expect(crm?.heldMs).toBeLessThan(31 * MINUTE);
    // 300 calls come in during the outage; those after the hold began wait, and retries of earlier ones.
    expect(crm?.waitedForProbe).toBeGreaterThan(0.38);
    expect(crm?.waitedForProbe).toBeLessThan(0.52);
    expect(crm?.backlogGoneAtMs).toBeGreaterThan(40 * MINUTE);
    expect(crm?.backlogGoneAtMs).toBeLessThan(50 * MINUTE);
    expect(other).toMatchObject({ heldMs: 0, waitedForProbe: 0, backlogGoneAtMs: null });
    expect(total.heldMs).toBe(crm?.heldMs);
    expect(total.waitedForProbe).toBeCloseTo((crm?.waitedForProbe ?? 0) / 2, 9);
  });

  it("says when the last delivery of the backlog was gone, not the first", async () => {
    const schedule: RetrySchedule = { name: "ours", next: () => 10 * MINUTE };
    const load = { calls: 2, overMs: MINUTE };
    const { total } = await simulate({ receivers: { crm: down(0, 31_000) }, policy: { schedule }, load });
    expect(total.backlogGoneAtMs).toBeGreaterThan(10.5 * MINUTE);
    expect(total.backlogGoneAtMs).toBeLessThan(10.6 * MINUTE);
  });

  it("says nothing of a hold that ended with its process", async () => {
    const receivers = { crm: down(0, 30 * MINUTE) };
    const load = { calls: 100, overMs: MINUTE };
    const faults = [{ kind: "crash", atMs: 5 * MINUTE, downMs: 24 * MINUTE } as const];
    const { total } = await simulate({ receivers, load, faults });
    expect(total.heldMs).toBeGreaterThan(MINUTE);
    expect(total.heldMs).toBeLessThan(7 * MINUTE);
  });

  it("warns of numbers that were hardly meant, in the words of check", async () => {
    const { warnings } = await simulate({
      receivers: { crm: {} },
      policy: { retryWindowMs: 14_400, firstRetryMs: 1, jitter: 50, growth: 100 },
    });
    expect(warnings.map(({ path }) => path)).toEqual([
      "policy.retryWindowMs",
      "policy.firstRetryMs",
      "policy.growth",
      "policy.jitter",
    ]);
    expect((await simulate({ receivers: { crm: {} } })).warnings).toEqual([]);
  });

  it("tells the first mistake of each kind that a schedule makes, with the question and the answer", async () => {
    const receivers = { crm: { spells: [{ fromMs: 0, untilMs: 600_000, behaviour: { kind: "hangs" } }] } } as const;
    let calls = 0;
    const next = ({ rounds }: ScheduleInput): number => {
      if (rounds > 2) throw new TypeError("no such table");
      return rounds > 1 ? NaN : (calls += 10_000);
    };
    const { warnings, total } = await simulate({ receivers, policy: { schedule: { name: "ours", next } } });
    expect(total.delivered).toBe(total.deliveries);
    expect(warnings.map(({ path }) => path)).toEqual(["policy.schedule", "policy.schedule", "policy.schedule"]);
    expect(warnings.map(({ effect }) => effect)).toEqual([
      expect.stringMatching(/^the schedule ours answered 10000 and then 20000, asked with \{.*"rounds":1/),
      expect.stringMatching(/^the schedule ours answered NaN, asked with \{.*"fault":"timeout".*"rounds":2/),
      expect.stringMatching(/^the schedule ours threw TypeError: no such table, asked with \{.*"rounds":3/),
    ]);
  });
});

describe("a simulation of a schedule", () => {
  const play = (next: RetrySchedule["next"]) =>
    simulate({
      receivers: { crm: down(0, 5 * MINUTE) },
      policy: { schedule: { name: "ours", next } },
      load: { calls: 20, overMs: 1_000 },
    });

  it("follows it", async () => {
    const { total } = await play(() => 10 * MINUTE);
    expect(total).toMatchObject({ delivered: 20, requests: 40 });
    expect(total.lagMs?.p50).toBeGreaterThanOrEqual(10 * MINUTE);
  });

  it("accepts that it gives up, and breaks no promise by that", async () => {
    const { total } = await play(({ rounds }) => (rounds === 2 ? "give-up" : 5_000));
    expect(total).toMatchObject({ delivered: 0, dead: { expired: 20 }, requests: 40 });
  });

  it("goes on by the numbers of the policy if it throws", async () => {
    const failing = (): never => {
      throw new Error("a bug");
    };
    expect((await play(failing)).total).toMatchObject({ delivered: 20, dead: {} });
  });
});

describe("options that types would refuse", () => {
  const behaviour = { kind: "explodes" };
  const spell = { fromMs: 0, untilMs: 1, behaviour: { kind: "answers", status: 200 } };
  it.each<[string, unknown]>([
    ["receivers.crm[0].usually.kind", { receivers: { crm: { usually: behaviour } } }],
    ["receivers.crm[1].usually.kind", { receivers: { crm: [{}, { usually: null }] } }],
    ["receivers.crm[0].spells[0].behaviour.kind", { receivers: { crm: { spells: [{ ...spell, behaviour }] } } }],
    ["receivers.crm[0].spells[0].untilMs", { receivers: { crm: { spells: [{ ...spell, untilMs: "1" }] } } }],
    ["receivers.crm[0].usually.of[0].kind", { receivers: { crm: { usually: { kind: "mixed", of: [behaviour] } } } }],
    ["receivers.crm[0].usually.of", { receivers: { crm: { usually: { kind: "mixed", of: [] } } } }],
    ["receivers.crm[0].usually.usually.kind", { receivers: { crm: { usually: { kind: "troubled", usually: 503 } } } }],
    ["receivers.crm[0].usually.status", { receivers: { crm: { usually: { kind: "answers", status: "503" } } } }],
    ["receivers.crm[0].usually.fault", { receivers: { crm: { usually: { kind: "fails", fault: "constructor" } } } }],
    ["receivers.crm[0].usually.kind", { receivers: { crm: { usually: { kind: "constructor" } } } }],
    ["receivers.crm[0].spreadMs", { receivers: { crm: { spreadMs: NaN } } }],
    ["faults[0].kind", { faults: [{ kind: "earthquake", atMs: 0 }] }],
    ["faults[0].atMs", { faults: [{ kind: "stop", downMs: 1 }] }],
    ["faults[0].forMs", { faults: [{ kind: "freeze", atMs: 1 }] }],
    ["faults[0].byMs", { faults: [{ kind: "clock-step", atMs: 1, byMs: NaN }] }],
    ["faults[0].step", { faults: [{ kind: "crash", atMs: 0, downMs: 1, step: "never" }] }],
    ["faults[0].ails", { faults: [{ kind: "store", fromMs: 0, untilMs: 1, ails: "sad" }] }],
    ["faults[0].how", { faults: [{ kind: "closed", destination: "crm", fromMs: 0, untilMs: 1, how: "shut" }] }],
    ["policy.timeoutMs", { policy: { timeoutMs: -1 } }],
    ["policy.jitter", { policy: { jitter: NaN } }],
    ["policy.schedule", { policy: { schedule: { name: "ours" } } }],
    ["load.calls", { load: { calls: NaN, overMs: 1 } }],
    ["load.overMs", { load: { calls: 1, overMs: -1 } }],
    ["load.perArrival", { load: { calls: 1, overMs: 1, perArrival: 0 } }],
    ["load", { load: null }],
    ["seed", { seed: NaN }],
    ["wallAtStart", { wallAtStart: NaN }],
  ])("are refused by name: %s", async (path, wrong) => {
    const options = { receivers: { crm: {} }, ...(wrong as object) } as SimulationOptions;
    await expect(simulate(options)).rejects.toMatchObject({
      code: "bad-options",
      problems: [{ path, expected: expect.any(String) as string }],
    });
  });
});

describe("rate limits, retentions and shares that types would refuse", () => {
  const SHARE = "a share from 0 to 1";
  const ABOVE_0 = "a number above 0";
  const HOURS = "an object of hours";
  const LIMIT = "an object with perSecond and burst";
  const load = (more: object) => ({ load: { calls: 1, overMs: 1, ...more } });
  const limit = (crm: unknown) => ({ rateLimits: { crm } });
  it.each<[string, string, unknown]>([
    ["rateLimits", "an object of rate limits", { rateLimits: null }],
    ["rateLimits", "an object of rate limits", { rateLimits: [] }],
    ["rateLimits", "an object of rate limits", { rateLimits: "crm" }],
    ["rateLimits.nobody", "the id of a destination that has receivers", { rateLimits: { nobody: {} } }],
    ["rateLimits.toString", "the id of a destination that has receivers", { rateLimits: { toString: {} } }],
    ["rateLimits.crm", LIMIT, limit(null)],
    ["rateLimits.crm", LIMIT, limit(5)],
    ["rateLimits.crm.perSecond", ABOVE_0, limit({ perSecond: 0, burst: 1 })],
    ["rateLimits.crm.perSecond", ABOVE_0, limit({ perSecond: "1", burst: 1 })],
    ["rateLimits.crm.perSecond", ABOVE_0, limit({ perSecond: Infinity, burst: 1 })],
    ["rateLimits.crm.burst", "a number, 1 or more", limit({ perSecond: 1, burst: 0.5 })],
    ["rateLimits.crm.burst", "a number, 1 or more", limit({ perSecond: 1, burst: NaN })],
    ["rateLimits.crm.burst", "a number, 1 or more", limit({ perSecond: 1 })],
    ["retention", HOURS, { retention: null }],
    ["retention", HOURS, { retention: "1" }],
    ["retention.deadHours", ABOVE_0, { retention: { deadHours: -1 } }],
    ["retention.deadHours", ABOVE_0, { retention: { deadHours: "1" } }],
    ["retention.deliveredHours", ABOVE_0, { retention: { deliveredHours: NaN } }],
    ["retention.deliveredHours", ABOVE_0, { retention: { deliveredHours: null } }],
    ["load.repeated", SHARE, load({ repeated: "1" })],
    ["load.repeated", SHARE, load({ repeated: 1.1 })],
    ["load.repeated", SHARE, load({ repeated: -0.1 })],
    ["load.repeated", SHARE, load({ repeated: NaN })],
    ["load.repeated", SHARE, load({ repeated: null })],
    ["load.leftOut", SHARE, load({ leftOut: "1" })],
    ["load.leftOut", SHARE, load({ leftOut: 2 })],
    ["load.overMs", "a number of milliseconds, 0 or more", load({ overMs: Infinity })],
  ])("are refused by path and reason: %s, %s, %j", async (path, expected, wrong) => {
    const options = { receivers: { crm: {} }, ...(wrong as object) } as SimulationOptions;
    await expect(simulate(options)).rejects.toMatchObject({ code: "bad-options", problems: [{ path, expected }] });
  });

  it("are accepted at their bounds", async () => {
    const { total } = await simulate({
      receivers: { crm: {} },
      rateLimits: { crm: { perSecond: 0.001, burst: 1 } },
      retention: { deadHours: 0.001, deliveredHours: 1_000 },
      load: { calls: 1, overMs: 0, leftOut: 0, repeated: 1 },
    });
    expect(total.delivered).toBe(1);
  });
});

describe("the guide", () => {
  it("names each value of a report, and in its table values of a destination alone", async () => {
    const report = await simulate({ receivers: { crm: {} } });
    const guide = readFileSync("docs/guides/simulate.md", "utf8");
    const [section = ""] = guide.slice(guide.indexOf("The report is plain data")).split("## What is checked");
    const named = new Set([...section.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    const values = [...Object.keys(report), ...Object.keys(report.total)].filter((name) => name !== "calls");
    expect(values.filter((name) => !named.has(name))).toEqual([]);
    const rows = [...section.matchAll(/^[|] `(\w+)`/gm)].map(([, name]) => name ?? "");
    expect(rows).toHaveLength(4);
    expect(rows.filter((name) => !(name in report.total))).toEqual([]);
  });
});
