// What is read of a process from outside is what it has used by its own account: in sum, in the thread that used it, and in a child that
// has ended since. A burn ends by CPU used and not by time, so that a busy machine changes nothing.

import { type ChildProcess, fork } from "node:child_process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { askOf, messageOf, outlived } from "../processes.js";
import { followCpu, usedByThread } from "./follow-cpu.js";
import { followChild, startMeter } from "./meter.js";
import { probedEnv } from "./probed.js";

const TOLERANCE = 0.2;

let child: ChildProcess;

beforeEach(async () => {
  child = await startBurner(probedEnv());
  // What starting costs is not measured.
  await burn("worker");
});

/** What is sent before it listens would reach the probe alone. */
async function startBurner(env: NodeJS.ProcessEnv = process.env): Promise<ChildProcess> {
  const burner = outlived(fork("test/bench/cpu/burn.js", { env, execArgv: [] }));
  await messageOf(burner, "ready");
  return burner;
}

afterEach(() => void child.kill("SIGKILL"));

/** The milliseconds of CPU that it says it has used. */
async function burn(way: "main" | "worker" | "child"): Promise<number> {
  const { usedMs } = await askOf(child, { way }, "burnt");
  return usedMs as number;
}

function expectNear(measured: number, told: number): void {
  expect(measured).toBeGreaterThan(told * (1 - TOLERANCE));
  expect(measured).toBeLessThan(told * (1 + TOLERANCE));
}

describe("the CPU of a process, read from outside", () => {
  it.each(["main", "worker", "child"] as const)("is what it used in its %s", async (way) => {
    const cpu = followCpu([child.pid ?? 0]);
    const told = await burn(way);
    expectNear(cpu.usedMs(), told);
  });

  it.each([true, false])("is followed alike where the system tells of threads (%s)", async (tellsThreads) => {
    const cpu = await followChild(child, tellsThreads);
    const told = await burn("main");
    expectNear(await cpu.usedMs(), told);
  });

  it("does not count again what a child had used before, once that child has ended", async () => {
    const spent = await startBurner();
    await askOf(spent, { way: "main" }, "burnt");
    const cpu = followCpu([process.pid]);
    const ended = new Promise((resolve) => spent.once("exit", resolve));
    spent.kill("SIGKILL");
    await ended;
    expect(cpu.usedMs()).toBeLessThan(190);
  });
});

describe("a meter", () => {
  it.each(["main", "worker"] as const)("charges a call to the %s that worked for it", async (way) => {
    const meter = await startMeter({ child });
    const told = (await burn(way)) + (await burn(way));
    const { cpuUs } = await meter.read(2);
    expectNear(cpuUs.process * 2, told * 1_000);
    const { threads, busiest } = cpuUs;
    // The others do a little meanwhile: V8 compiles, and the loop is watched.
    expect(busiest).toBe(threads?.[way]);
    expect(busiest).toBeGreaterThan(cpuUs.process / 2);
    const sum = Object.values(threads ?? {}).reduce((total: number, us: number) => total + us, 0);
    expect(cpuUs.process).toBeCloseTo(sum, 6);
    expect(cpuUs.servers).toBe(0);
  });

  it("charges a call as a whole where the system tells nothing of threads", async () => {
    const meter = await startMeter({ child }, false);
    const told = await burn("worker");
    const { cpuUs } = await meter.read(1);
    expectNear(cpuUs.process, told * 1_000);
    expect(cpuUs).toEqual({ process: cpuUs.process, servers: 0 });
  });

  it("sees that the event loop was late while the main thread worked", async () => {
    const meter = await startMeter({ child });
    const told = await burn("main");
    const { loopDelayMs } = await meter.read(1);
    expect(loopDelayMs.max).toBeGreaterThan(told * (1 - TOLERANCE));
  });
});

it("counts a thread that is new from its beginning, and one that has ended no more", () => {
  const used = usedByThread(
    new Map([
      [1, 5],
      [2, 100],
    ]),
    new Map([
      [1, 7],
      [3, 4],
    ]),
  );
  expect([...used]).toEqual([
    [1, 2],
    [3, 4],
  ]);
});
