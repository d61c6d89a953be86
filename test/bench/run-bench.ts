// Runs a small benchmark, to check that its arms do what they claim. The measured times mean nothing, and no test uses
// them. Needs `tsc -b` first.

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Cost } from "./cpu/meter.js";

/** How long a small benchmark may take on a busy machine. */
export const BENCH_TIMEOUT_MS = 300_000;

/** The result of each arm in each round, by its name. */
export interface Measured<Result> {
  readonly arms: readonly string[];
  readonly rounds: readonly Readonly<Record<string, Result>>[];
}

/** The results of each benchmark, as far as its test uses them. */
interface Found {
  readonly throughput: Measured<Poured>;
  readonly cost: Measured<Readonly<Record<string, Poured>>>;
  readonly latency: Measured<Timed & Pick<Cost, "cpuUs">>;
  readonly isolation: Measured<Timed>;
  readonly scale: { readonly waiting: Measured<Sized>; readonly destinations: Measured<Sized> };
  readonly core: Measured<{ readonly bytes: number; readonly signature: string }>;
}

interface Poured {
  readonly postsPerSecond: number;
  readonly cpuUs: Cost["cpuUs"] & { readonly callers: number; readonly receiver: number };
  readonly checks: {
    readonly calls: number;
    readonly received: number;
    readonly bytes: number;
    readonly ids: number;
    readonly badSignatures: number;
    readonly durability?: string;
    readonly inStore?: { readonly settled: number; readonly left: number };
  };
}

interface Timed {
  readonly calls: number;
  readonly hung?: number;
  readonly whole: { readonly p50: number; readonly p99: number };
}

interface Sized {
  readonly postsPerSecond: number;
  readonly residentMegabytes: number;
  readonly drained?: { readonly postsPerSecond: number };
}

const SHORT = {
  BENCH_CHECKS: "1",
  BENCH_ROUNDS: "2",
  BENCH_RUN_MS: "500",
  BENCH_WARM_UP_MS: "100",
  BENCH_WINDOW: "400",
};

/** What it printed, and its results. */
export async function runBench<Name extends keyof Found>(
  name: Name,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ readonly printed: string; readonly found: Found[Name] }> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const results = join(folder, "results.json");
  const env = { ...process.env, ...SHORT, ...settings, BENCH_RESULTS: results };
  try {
    const options = { env, timeout: BENCH_TIMEOUT_MS - 5_000 };
    const { stdout } = await promisify(execFile)(process.execPath, ["test/bench/bench.js", name], options);
    const all = JSON.parse(readFileSync(results, "utf8")) as Found;
    return { printed: stdout, found: all[name] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Every result of every round, with the name of its arm. */
export function resultsOf<Result>({ rounds }: Measured<Result>): readonly (readonly [string, Result])[] {
  return rounds.flatMap((round) => Object.entries(round));
}
