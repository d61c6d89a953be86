// Operators who change settings, replay deliveries and send test events while calls go on, hosts with transactions, servers that only
// accept, and a thread that sends and dies.

import { simulate, type SimulationOptions } from "@postrider/simulator";
import { describe, expect, it } from "vitest";

const LOAD = { calls: 60, overMs: 60_000 };

/** For the second third of the load. */
const MEANWHILE = { fromMs: 20_000, untilMs: 40_000 };

describe("settings that change while calls go on", () => {
  it("with one of two receivers left, send it all that comes meanwhile, and ask the other one again afterwards", async () => {
    const sets = { receivers: [1] };
    const report = await simulate({
      receivers: { crm: [{}, {}] },
      faults: [{ kind: "settings", destination: "crm", sets, ...MEANWHILE }],
      load: LOAD,
    });
    expect(report.total).toMatchObject({ delivered: 60, requests: 100 });
  });

  it("with a rate limit, slow the destination down while it is in force, and no longer", async () => {
    const limited = (untilMs: number): SimulationOptions => ({
      receivers: { crm: {} },
      faults: [
        { kind: "settings", destination: "crm", sets: { rateLimit: { perSecond: 0.5, burst: 1 } }, fromMs: 0, untilMs },
      ],
      load: LOAD,
    });
    const [short, long] = [await simulate(limited(10_000)), await simulate(limited(60_000))];
    expect(short.total.delivered + long.total.delivered).toBe(120);
    expect(short.total.lagMs?.max).toBeLessThan(15_000);
    expect(long.total.lagMs?.max).toBeGreaterThan(25_000);
  });

  it("with a source that is not connected, leave out what comes meanwhile", async () => {
    const report = await simulate({
      receivers: { crm: {}, mail: {} },
      faults: [{ kind: "settings", destination: "crm", sets: { is: "unconnected" }, ...MEANWHILE }],
      load: LOAD,
    });
    expect(report.destinations).toMatchObject({ crm: { delivered: 40 }, mail: { delivered: 60 } });
  });

  it("without a destination, keep what waits for it until it is back", async () => {
    const report = await simulate({
      receivers: { crm: { spells: [{ fromMs: 0, untilMs: 30_000, behaviour: { kind: "answers", status: 503 } }] } },
      faults: [{ kind: "settings", destination: "crm", sets: { is: "removed" }, ...MEANWHILE }],
      load: LOAD,
    });
    expect(report.total).toMatchObject({ delivered: 40 });
  });

  it("reach several servers one after the other, and each sends and signs by those that it has", async () => {
    const report = await simulate({
      receivers: { crm: [{}, {}] },
      servers: [{}, {}, {}],
      faults: [{ kind: "settings", destination: "crm", sets: { receivers: [0], secret: "second" }, ...MEANWHILE }],
      load: LOAD,
    });
    expect(report.total.delivered).toBe(60);
    expect(report.total.requests).toBeLessThan(105);
  });
});

describe("a replay job", () => {
  const replays = [{ atMs: 90_000, states: ["delivered"] as const }];

  it("replays each delivery once, through crashes of the processes that carry it out", async () => {
    const crash = (atMs: number) => ({ kind: "crash", atMs, downMs: 500, step: "commit-done" }) as const;
    const report = await simulate({
      receivers: { crm: {} },
      replays,
      faults: [crash(90_000), crash(100_000)],
      load: LOAD,
    });
    expect(report).toMatchObject({ calls: 60, total: { deliveries: 120, delivered: 120 } });
  });

  it("is carried on by another server once its server is gone", async () => {
    const report = await simulate({
      receivers: { crm: {} },
      replays,
      servers: [{ faults: [{ kind: "crash", atMs: 90_010, downMs: 600_000 }] }, {}],
      load: LOAD,
    });
    expect(report.total).toMatchObject({ deliveries: 120, delivered: 120 });
  });

  it("that is cancelled replays nothing more", async () => {
    const report = await simulate({
      receivers: { crm: {} },
      replays: [{ ...replays[0], atMs: 90_000, states: ["delivered"], cancelAfterMs: 0 }],
      faults: [{ kind: "store", ails: "slow", fromMs: 80_000, untilMs: 120_000 }],
      load: LOAD,
    });
    expect(report.total.deliveries).toBeGreaterThan(60);
    expect(report.total.deliveries).toBeLessThan(120);
  });
});

it("With test events to each destination, the report counts their calls and requests as if there were none", async () => {
  const tests = [10_000, 20_000, 30_000].map((atMs) => ({ atMs, destination: "crm" }));
  const report = await simulate({ receivers: { crm: [{}, {}] }, tests, load: LOAD });
  expect(report).toMatchObject({ calls: 60, total: { deliveries: 60, delivered: 60, requests: 120 } });
});

it("With a sender that dies while requests are open, each of them is sent again, and nothing is lost", async () => {
  const report = await simulate({
    receivers: { crm: { usually: { kind: "answers", status: 200, afterMs: 1_500 } } },
    faults: [{ kind: "sender", atMs: 30_200, downMs: 1_000 }],
    load: LOAD,
  });
  expect(report.total).toMatchObject({ delivered: 60, dead: {} });
  expect(report.total.requests).toBeGreaterThan(60);
});

it("With calls that hosts add in transactions, all that are committed arrive, through crashes, and what is rolled back does not", async () => {
  const report = await simulate({
    receivers: { crm: {} },
    load: { ...LOAD, calls: 200, inTransactions: 1 },
    faults: [20_000, 40_000].map((atMs) => ({ kind: "crash", atMs, downMs: 2_000, step: "commit-done" })),
  });
  expect(report.calls).toBeGreaterThan(160);
  expect(report.calls).toBeLessThan(195);
  expect(report.total.delivered).toBe(report.calls);
});

it("With servers that only accept, most of their calls wait for a hint alone, and the others for a poll of the server that delivers", async () => {
  const servers = [{}, { delivers: false }, { delivers: false }];
  const { total } = await simulate({ receivers: { crm: {} }, servers, load: { calls: 200, overMs: 60_000 } });
  expect(total.delivered).toBe(200);
  expect(total.lagMs?.p50).toBeLessThan(3_000);
});

it("With audiences, requests about users and pauses on three servers, of which one crashes, every promise is kept", async () => {
  const report = await simulate({
    receivers: { crm: {}, mail: {} },
    servers: [
      { faults: [{ kind: "crash", atMs: 12_000, downMs: 5_000, step: "audience-done" }] },
      {},
      { aheadMs: 60_000 },
    ],
    operatorPauses: [{ destination: "mail", fromMs: 5_000, untilMs: 90_000 }],
    audiences: {
      buyers: {
        ...{ kind: "audience", sendsAs: "identify", destinations: ["crm", "mail"], users: 40, turnover: 0.3 },
        ...{ syncs: 4, firstAtMs: 1_000, everyMs: 10_000 },
      },
    },
    deletions: [{ atMs: 15_000, regulation: "suppress-with-delete", users: [0, 1, 2] }],
    load: LOAD,
  });
  expect(report.syncs).toBe(4);
  expect(report.changes).toBeGreaterThan(40);
});

it.each<readonly [path: string, options: object]>([
  ["faults[0].destination", { faults: [{ kind: "settings", destination: "erp", sets: {}, fromMs: 0, untilMs: 1 }] }],
  ["faults[0].fromMs", { faults: [{ kind: "settings", destination: "crm", sets: {}, untilMs: 1 }] }],
  ["faults[0].sets", { faults: [{ kind: "settings", destination: "crm", fromMs: 0, untilMs: 1 }] }],
  ["faults[0].sets.receivers", settings({ receivers: [1] })],
  ["faults[0].sets.receivers", settings({ receivers: [] })],
  ["faults[0].sets.rateLimit", settings({ rateLimit: 5 })],
  ["faults[0].sets.rateLimit.burst", settings({ rateLimit: { perSecond: 1, burst: 0 } })],
  ["faults[0].sets.secret", settings({ secret: 5 })],
  ["faults[0].sets.is", settings({ is: "gone" })],
  ["faults[0].downMs", { faults: [{ kind: "sender", atMs: 0 }] }],
  ["load.inTransactions", { load: { calls: 1, overMs: 1, inTransactions: 2 } }],
  ["servers[0].delivers", { servers: [{ delivers: "no" }] }],
  ["servers", { servers: [{ delivers: false }] }],
  ["replays", { replays: "all" }],
  ["replays[0].atMs", { replays: [{ states: ["dead"] }] }],
  ["replays[0].states", { replays: [{ atMs: 0, states: ["waiting"] }] }],
  ["replays[0].destination", { replays: [{ atMs: 0, states: ["dead"], destination: "erp" }] }],
  ["replays[0].cancelAfterMs", { replays: [{ atMs: 0, states: ["dead"], cancelAfterMs: -1 }] }],
  ["tests", { tests: {} }],
  ["tests[0].atMs", { tests: [{ destination: "crm" }] }],
  ["tests[0].destination", { tests: [{ atMs: 0, destination: "erp" }] }],
])("With a mistake in %s, the options are refused by that path", async (path, options) => {
  const all = { receivers: { crm: {} }, ...options } as SimulationOptions;
  await expect(simulate(all)).rejects.toMatchObject({ problems: [{ path }] });
});

function settings(sets: object): object {
  return { faults: [{ kind: "settings", destination: "crm", sets, fromMs: 0, untilMs: 1 }] };
}
