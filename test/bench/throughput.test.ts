// Every arm of the first benchmark does the whole job: each call delivered once, signed, and settled in a durable store.

import { beforeAll, describe, expect, it } from "vitest";
import { BENCH_TIMEOUT_MS, resultsOf, runBench } from "./run-bench.js";

/** The settings that make a commit survive a power cut, as each store reports them. */
const DURABLE: Readonly<Record<string, string>> = {
  ours: "journal_mode wal, synchronous 2",
  base: "journal_mode wal, synchronous 2",
  bullmq: "appendonly yes, appendfsync always",
  "pg-boss": "fsync on, synchronous_commit on",
  plainjob: "journal_mode wal, synchronous 2",
};

describe("durable throughput", () => {
  let ran: Awaited<ReturnType<typeof runBench<"throughput">>>;

  beforeAll(async () => {
    const settings = { BENCH_ARMS: "ours,base,bullmq,pg-boss,plainjob,bare 32", BENCH_BASE: process.cwd() };
    ran = await runBench("throughput", settings);
  }, BENCH_TIMEOUT_MS);

  it("leaves no arm out without saying so", () => {
    const isLeftOut = (server: string): boolean => ran.printed.includes(`!!! What needs ${server} is LEFT OUT`);
    const servers = [...(isLeftOut("redis") ? [] : ["bullmq"]), ...(isLeftOut("postgres") ? [] : ["pg-boss"])];
    const arms = ["bare 32", "base", "ours", "plainjob", ...servers].sort();
    expect(ran.found.rounds.map((round) => Object.keys(round).sort())).toEqual([arms, arms]);
  });

  it("has every arm deliver each call once, signed by the secret", () => {
    for (const [arm, { checks }] of resultsOf(ran.found)) {
      const { calls, received, ids, badSignatures } = checks;
      expect(calls, arm).toBeGreaterThan(0);
      expect({ received, badSignatures }, arm).toEqual({ received: calls, badSignatures: 0 });
      // The bare loop has a thousand messages, which it sends again and again.
      expect(ids, arm).toBe(arm.startsWith("bare") ? Math.min(calls, 1_000) : calls);
    }
  });

  it("has every arm but the bare loop hold what it settled in its store, durably", () => {
    for (const [arm, { checks }] of resultsOf(ran.found).filter(([name]) => !name.startsWith("bare"))) {
      expect(checks.durability, arm).toBe(DURABLE[arm]);
      expect(checks.inStore, arm).toEqual({ settled: checks.calls, left: 0 });
    }
  });

  it("charges every arm for its own CPU, and for that of its database server and its callers", () => {
    for (const [arm, { cpuUs }] of resultsOf(ran.found)) {
      expect(cpuUs.process, arm).toBeGreaterThan(0);
      expect(cpuUs.callers > 0, arm).toBe(!arm.startsWith("bare"));
      expect(cpuUs.servers > 0, arm).toBe(arm === "bullmq" || arm === "pg-boss");
      expect(cpuUs.receiver, arm).toBeGreaterThan(0);
    }
  });

  it("shows its main thread, its store thread and V8's pool apart", () => {
    for (const [arm, { cpuUs }] of resultsOf(ran.found)) {
      expect(cpuUs.threads?.main, arm).toBeGreaterThan(0);
      expect(cpuUs.threads?.v8, arm).toBeGreaterThan(0);
      expect((cpuUs.threads?.worker ?? 0) > 0, arm).toBe(arm === "ours" || arm === "base");
    }
  });

  it("ends with what was asked, beside what is so", () => {
    expect(ran.printed).toContain("| what | now (median, least to most) | asked |");
    expect(ran.printed).toMatch(/\| S\/B, batches of 20 \(gate\) \| [\d.]+ \(/);
    expect(ran.printed).toMatch(/\| S\/B, single calls \(gate\) \| not run \|/);
    expect(ran.printed).toMatch(/\| ratio, by the formula with U 0.9 \| [\d.]+ \|/);
  });
});
