// The benchmarks of latency follow every single call from its caller to the receiver.

import { expect, it } from "vitest";
import { BENCH_TIMEOUT_MS, resultsOf, runBench } from "./run-bench.js";

it("follows each call at an even rate", { timeout: BENCH_TIMEOUT_MS }, async () => {
  const settings = { BENCH_ARMS: "ours,plainjob", BENCH_CALLS_PER_SECOND: "100" };
  const { found } = await runBench("latency", settings);
  expect(found.arms).toEqual(["ours", "plainjob"]);
  for (const [arm, { calls, whole, cpuUs }] of resultsOf(found)) {
    expect(calls, arm).toBe(50);
    expect(whole.p50, arm).toBeGreaterThan(0);
    expect(whole.p99, arm).toBeGreaterThanOrEqual(whole.p50);
    expect(cpuUs.process, arm).toBeGreaterThan(0);
  }
});

it(
  "lets one destination of ten hang, and follows the calls of the other nine",
  { timeout: BENCH_TIMEOUT_MS },
  async () => {
    const settings = { BENCH_LANE_CALLS_PER_SECOND: "20", BENCH_HUNG_WAITING: "200" };
    const { found } = await runBench("isolation", settings);
    for (const [name, { calls, hung = 0, whole }] of resultsOf(found)) {
      expect(calls, name).toBe(90);
      expect(whole.p50, name).toBeGreaterThan(0);
      expect(hung > 0, name).toBe(name === "one hangs");
    }
  },
);
