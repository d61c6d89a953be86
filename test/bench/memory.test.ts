// The benchmark of memory looks at a server from the first delivery to the last, and says how steep the line through it is.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { BENCH_TIMEOUT_MS } from "./run-bench.js";
import { lineThrough } from "./statistics.js";

it("shows the memory in parts, and its slope", { timeout: BENCH_TIMEOUT_MS }, async () => {
  const words = ["test/bench/memory.js", "4000", "1000"];
  const { stdout } = await promisify(execFile)(process.execPath, words, { timeout: BENCH_TIMEOUT_MS - 5_000 });
  expect(stdout).toMatch(/4,000 deliveries beside 1,000 that wait/);
  expect(stdout).toMatch(/\| [\d,]+ \| \d+ \| \d+ \|/);
  expect(stdout).toMatch(/slope -?[\d.]+ MB a million deliveries: .* (met|MISSED)\n/);
});

it("finds the slope of a line, noise around it or not", () => {
  const points = (noise: number): [number, number][] =>
    Array.from({ length: 100 }, (_, x) => [x, 50 + 3 * x + (x % 2 === 0 ? noise : -noise)]);
  expect(lineThrough(points(0))).toEqual({ slope: 3, mean: 198.5 });
  expect(lineThrough(points(1)).slope).toBeCloseTo(3, 2);
  expect(lineThrough([[4, 7]])).toEqual({ slope: 0, mean: 7 });
});
