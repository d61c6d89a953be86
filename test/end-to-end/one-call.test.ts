// How much a reader has to open who follows one call from its request to its end in the store: the files of which a function runs for
// each call, in the main thread and in the store's. Counts of the engine, which no load changes.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ROOT } from "../house/packages.js";

const CALLS = 100;
const MOST_FILES = 136;
const MOST_FUNCTIONS = 800;
/** What runs for nine calls of ten runs for each: some calls share a commit or a timer. */
const EACH = 0.9;

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly functionName: string; readonly ranges: readonly Range[] }[];
  }[];
}
interface Range {
  readonly startOffset: number;
  readonly count: number;
}

it("With SQLite in its thread, one call runs few files and functions", () => {
  const folder = mkdtempSync(join(tmpdir(), "one-call-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(ROOT, "test/end-to-end/programs/hundred-calls.js");
  const env = { ...process.env, NODE_V8_COVERAGE: folder };
  expect(execFileSync(process.execPath, [program], { env, encoding: "utf8" })).toBe(`${String(CALLS)}\n`);
  const threads = readdirSync(folder).map((name) => runForEach(join(folder, name)));
  const [files, functions] = [sum(threads.map(({ size }) => size)), sum(threads.flatMap((one) => [...one.values()]))];
  console.log(`one call: ${String(files)} files, ${String(functions)} functions`);
  // Fewer would be a run of something else.
  expect(files).toBeGreaterThan(MOST_FILES / 2);
  expect(files).toBeLessThanOrEqual(MOST_FILES);
  expect(functions).toBeLessThanOrEqual(MOST_FUNCTIONS);
});

/** The functions of a thread that run for each call, counted by their file. */
function runForEach(path: string): ReadonlyMap<string, number> {
  const { result } = JSON.parse(readFileSync(path, "utf8")) as Coverage;
  const ours = result.filter(({ url }) => /\/packages\/[^/]+\/dist\//.test(url));
  const counts = ours.map(({ url, functions }) => [url, functions.filter(isRunForEach).length] as const);
  return new Map(counts.filter(([, count]) => count > 0));
}

/** A function without a name that begins a file is the file. */
function isRunForEach({ functionName, ranges: [range] }: Coverage["result"][number]["functions"][number]): boolean {
  if (range === undefined || (functionName === "" && range.startOffset === 0)) return false;
  return range.count >= EACH * CALLS;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}
