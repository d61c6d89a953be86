// The benchmark of cost makes the circumstances that its variants name, and every arm does the whole job in each.

import { beforeAll, describe, expect, it } from "vitest";
import { BENCH_TIMEOUT_MS, resultsOf, runBench } from "../run-bench.js";

const VARIANTS = [
  "single calls",
  "batches of 1",
  "TLS",
  "30 KB in batches of 10",
  "answers of Express",
  "receivers of 50 ms",
];
const BARE = "bare 32";

describe("the cost of a call", () => {
  let ran: Awaited<ReturnType<typeof runBench<"cost">>>;

  beforeAll(async () => {
    const settings = { BENCH_ROUNDS: "1", BENCH_VARIANTS: [...VARIANTS, "two busy loops beside"].join() };
    ran = await runBench("cost", settings);
  }, BENCH_TIMEOUT_MS);

  it("is measured beside a bare loop in the same circumstances, unless the receiver takes time", () => {
    for (const [variant, arms] of resultsOf(ran.found)) {
      expect(Object.keys(arms).sort(), variant).toEqual(variant === "receivers of 50 ms" ? ["ours"] : [BARE, "ours"]);
    }
  });

  it("is of calls that were each delivered once, signed, and settled", () => {
    for (const [variant, arms] of resultsOf(ran.found)) {
      for (const [arm, { checks, cpuUs }] of Object.entries(arms)) {
        const { calls, received, badSignatures } = checks;
        expect(calls, `${variant}, ${arm}`).toBeGreaterThan(0);
        expect({ received, badSignatures }, `${variant}, ${arm}`).toEqual({ received: calls, badSignatures: 0 });
        expect(cpuUs.process, `${variant}, ${arm}`).toBeGreaterThan(0);
      }
      expect(arms["ours"]?.checks.inStore, variant).toEqual({ settled: arms["ours"]?.checks.calls, left: 0 });
    }
  });

  it("is of bodies as long as they are said to be, in both arms", () => {
    for (const [variant, arms] of resultsOf(ran.found)) {
      for (const [arm, { checks }] of Object.entries(arms)) {
        const bytes = checks.bytes / checks.received / (variant.startsWith("30 KB") ? 30_000 : 677);
        expect(bytes, `${variant}, ${arm}`).toBeGreaterThan(0.98);
        expect(bytes, `${variant}, ${arm}`).toBeLessThan(1.02);
      }
    }
  });

  it("is shown by ratio, and for receivers that take time by the ceiling of the slots", () => {
    expect(ran.printed).toMatch(/\| TLS \| ours \/ bare 32 \| [\d.]+ \(/);
    expect(ran.printed).toMatch(/\| receivers of 50 ms \| ours \| [\d,]+ \([^|]+\| 10,240 \| [\d.]+ \(/);
    expect(ran.printed).toMatch(/\| S\/B, single calls \(gate\) \| [\d.]+ \(/);
  });
});

it("refuses a variant that is not there", async () => {
  const failed = await runBench("cost", { BENCH_VARIANTS: "on the moon" }).catch((error: unknown) => String(error));
  expect(failed).toContain('there is no variant "on the moon"');
});
