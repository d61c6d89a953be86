// The benchmark of sizes measures each size that it is asked for, in each round.

import { expect, it } from "vitest";
import { BENCH_TIMEOUT_MS, resultsOf, runBench } from "./run-bench.js";

it("measures every size", { timeout: BENCH_TIMEOUT_MS }, async () => {
  const settings = { BENCH_ROUNDS: "1", BENCH_WAITING: "100,1000", BENCH_DESTINATIONS: "1,30" };
  const { found } = await runBench("scale", settings);
  expect(found.waiting.arms).toEqual(["100", "1000"]);
  expect(found.destinations.arms).toEqual(["1", "30"]);
  const waiting = resultsOf(found.waiting).map(([, ran]) => ran);
  const all = [...waiting, ...resultsOf(found.destinations).map(([, ran]) => ran)];
  expect(all).toHaveLength(4);
  expect(all.every(({ postsPerSecond, residentMegabytes }) => postsPerSecond > 0 && residentMegabytes > 0)).toBe(true);
  expect(waiting.every(({ drained }) => drained !== undefined && drained.postsPerSecond > 0)).toBe(true);
});
