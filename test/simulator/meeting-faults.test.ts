// Faults that meet: late answers of the store, and a process that is frozen or stopped at a step, while a clock steps.

import { drawFleet, drawSimulation, simulate, type SimulationOptions } from "@postrider/simulator";
import { describe, expect, it } from "vitest";
import { brokenBy } from "./broken-by.js";

const LOAD = { calls: 60, overMs: 60_000 };
const LATE = { kind: "late-answers", fromMs: 10_000, untilMs: 30_000, share: 0.5, byMs: 20_000 } as const;

describe("a simulation with faults that meet", () => {
  it("with late answers, and a clock that steps meanwhile, breaks no promise", async () => {
    for (const byMs of [-3_600_000, 3_600_000]) {
      const faults = [LATE, { kind: "clock-step", atMs: 15_000, byMs }] as const;
      const { total } = await simulate({ receivers: { crm: {} }, load: LOAD, faults });
      expect(total).toMatchObject({ deliveries: 60, delivered: 60 });
    }
  });

  it("with late answers to the last commits, ends later than without", async () => {
    const faults = [{ ...LATE, untilMs: 80_000, share: 1 }];
    const [late, prompt] = [
      await simulate({ receivers: { crm: {} }, load: LOAD, faults }),
      await simulate({ receivers: { crm: {} }, load: LOAD }),
    ];
    expect(prompt.durationMs).toBeLessThan(62_000);
    expect(late.durationMs).toBeGreaterThan(62_000);
  });

  it("with late answers to one of several servers, breaks no promise", async () => {
    const servers = [{ faults: [LATE] }, { aheadMs: 90_000 }];
    expect(await brokenBy({ receivers: { crm: {} }, load: LOAD, servers })).toEqual([]);
  });

  it.each(["commit-asked", "commit-done", "request-sent", "reply-come"] as const)(
    "with a process that is frozen, or stopped, at %s, has another one take over",
    async (step) => {
      const faults = [
        { kind: "freeze", atMs: 10_000, forMs: 40_000, step },
        { kind: "stop", atMs: 40_000, downMs: 10, step },
      ] as const;
      const { total, processes } = await simulate({ receivers: { crm: {} }, load: LOAD, faults });
      expect({ processes, delivered: total.delivered }).toEqual({ processes: 3, delivered: 60 });
    },
  );

  it("freezes a process that does not come to the step ten seconds later", async () => {
    const faults = [{ kind: "freeze", atMs: 0, forMs: 1_000, step: "audience-done" }] as const;
    const { processes } = await simulate({ receivers: { crm: {} }, load: LOAD, faults });
    expect(processes).toBe(2);
  });
});

describe("the draw of faults that meet", () => {
  const isMeeting = ({ faults = [], servers = [] }: SimulationOptions): boolean =>
    [...faults, ...servers.flatMap((server) => server.faults ?? [])].some(
      (fault) => fault.kind === "late-answers" || (fault.kind === "freeze" && fault.step !== undefined),
    );

  it.each([
    ["one machine", drawSimulation],
    ["several servers", drawFleet],
  ])("gives one simulation in five late answers, or a process that is frozen at a step: %s", (_, draw) => {
    const meeting = Array.from({ length: 2_000 }, (_value, index) => draw(index + 1)).filter(isMeeting);
    expect(meeting.length / 2_000).toBeGreaterThan(0.16);
    expect(meeting.length / 2_000).toBeLessThan(0.24);
  });
});

describe("wrong faults", () => {
  it.each([
    ["faults[0].share", { ...LATE, share: 1.5 }],
    ["faults[0].byMs", { ...LATE, byMs: -1 }],
    ["faults[0].fromMs", { ...LATE, fromMs: Number.NaN }],
    ["faults[0].step", { kind: "stop", atMs: 0, downMs: 1, step: "later" }],
    ["faults[0].step", { kind: "freeze", atMs: 0, forMs: 1, step: "later" }],
  ])("are refused: %s", async (path, fault) => {
    const options = { receivers: { crm: {} }, faults: [fault] } as unknown as SimulationOptions;
    await expect(simulate(options)).rejects.toMatchObject({ code: "bad-options", problems: [{ path }] });
  });

  it("are refused, as is a store that takes too long", async () => {
    const problems = [{ path: "storeLatencyMs" }];
    await expect(simulate({ receivers: { crm: {} }, storeLatencyMs: 201 })).rejects.toMatchObject({ problems });
  });
});
