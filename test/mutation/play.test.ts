// The mutation run itself, on a small package of which each verdict is known by hand.

import { cpSync, mkdirSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { instrument } from "./instrument.js";
import { findReach, judgeAll } from "./judge.js";
import type { Progress } from "./progress.js";
import type { Verdict } from "./verdicts.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SOURCE = "test/mutation/sample/decide.ts";
/** Short ones, for tests of milliseconds. A mutant that hangs takes as long. */
const LIMITS = { hits: 1_000, moreOften: 100, testMs: 3_000, fileMs: 10_000, slower: 8 };

/** Each place and what is there instead, by hand: the tests of the sample never ask about a size of 10, for one. */
const OTHERS = {
  "6 EqualityOperator: size >= 10": "survived",
  "11 AssignmentOperator: at -= 1": "its hits",
  "16 ConditionalExpression: true": "survived",
  "16 ConditionalExpression: false": "the watchdog",
  '16 EqualityOperator: pace !== "fast"': "the watchdog",
  '16 StringLiteral: ""': "the watchdog",
  "19 EqualityOperator: left >= 0": "its hits",
  "19 EqualityOperator: (at = at | left) <= 0": "survived",
  "23 BlockStatement: {}": "survived",
  "24 ConditionalExpression: true": "survived",
  "24 ConditionalExpression: false": "goes on while it is on",
  "24 EqualityOperator: lamps >= 0": "survived",
  "24 EqualityOperator: lamps <= 0": "goes on while it is on",
  "31 ConditionalExpression: false": "survived",
  '31 StringLiteral: "Stryker was here!"': "survived",
  "32 ConditionalExpression: true": "survived",
  "35 BlockStatement: {}": "not reached",
  '36 StringLiteral: ""': "not reached",
  "39 BlockStatement: {}": "survived",
  "40 ConditionalExpression: false": "survived",
  '40 StringLiteral: ""': "not reached",
};
const KILLED = 25;

it("gives each mutant its verdict, though others hang, loop, spoil what is in memory or lose errors", async () => {
  const copy = join(mkdtempSync(join(tmpdir(), "postrider-mutation-")), "copy");
  mkdirSync(copy);
  for (const path of ["package.json", "vitest.config.ts", "test/property.ts", "test/watchdogs.js", "test/mutation"])
    cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  const mutants = await instrument({ root: ROOT, copy, paths: [SOURCE] });
  const files = await findReach({ copy, tests: ["test/mutation/sample/decide.cases.ts"] });
  const told: Progress[] = [];
  const startedAt = performance.now();
  const verdicts = await judgeAll(mutants, { copy, files, limits: LIMITS, onProgress: (one) => void told.push(one) });
  expectProgress(told, { all: mutants.length, inMs: performance.now() - startedAt });
  const found = mutants.map(({ id, line, what }) => [`${String(line)} ${what}`, verdicts.get(id)] as const);
  expect(found.filter(([, verdict]) => verdict?.kind === "killed")).toHaveLength(KILLED);
  const others = found.filter(([, verdict]) => verdict?.kind !== "killed");
  expect(Object.fromEntries(others.map(([what, verdict]) => [what, ended(verdict)]))).toEqual(OTHERS);
});

/** The run takes long enough to be told of, at most every 10 seconds, and no count goes back. */
function expectProgress(
  told: readonly Progress[],
  { all, inMs }: { readonly all: number; readonly inMs: number },
): void {
  expect(told.length).toBeGreaterThan(0);
  expect(told.length).toBeLessThanOrEqual(inMs / 10_000);
  const judged = told.map((one) => one.judged);
  expect(judged).toEqual(judged.toSorted((before, after) => before - after));
  expect(told.map((one) => one.all)).toEqual(told.map(() => all));
}

/** What ended a mutant that timed out, and else its verdict. */
function ended(verdict: Verdict | undefined): string | undefined {
  return verdict?.kind === "timed out" ? verdict.by : verdict?.kind;
}
