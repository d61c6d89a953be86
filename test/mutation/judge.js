// Starts the runs: one that notes what each test reaches, and one for each stage of the plan, begun anew where a mutant has
// ended it, until each mutant has its verdict. It does not know how mutants are made or chosen.

import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { planStages } from "./plan.js";
import { progressOf } from "./progress.js";
import { leftOf, verdictsOf } from "./verdicts.js";

/** Processes at the same time, unless the package says otherwise: one for each core of a small machine. */
const AT_ONCE = 2;

/** How often the progress is told, in milliseconds. */
const TOLD_EVERY_MS = 10_000;

/** Runs all tests without a mutant. Throws if one fails. @returns {Promise<readonly import("./plan.js").Reach[]>} */
export async function findReach({ copy, tests }) {
  const notes = join(copy, "notes.jsonl");
  writeFileSync(notes, "");
  const { status, output } = await run(copy, tests, { MUTATION_NOTES: notes });
  const files = readLines(notes);
  if (status !== 0 || files.length === 0 || files.some(({ failed }) => failed))
    throw new Error(`the tests fail without a mutant:\n${output.slice(-4_000)}`);
  return files;
}

/**
 * Each process has its share of the mutants, and plays it in all files. `onProgress` is told how far all of them are.
 *
 * @returns {Promise<ReadonlyMap<string, import("./verdicts.js").Verdict>>} by the id of the mutant
 */
export async function judgeAll(mutants, { copy, files, limits, atOnce = AT_ONCE, onProgress = () => undefined }) {
  const shares = Array.from({ length: atOnce }, (_, share) => {
    const own = mutants.filter((_, place) => place % atOnce === share);
    return createShare(own, { copy, files, limits, share });
  });
  const startedAt = performance.now();
  const tell = () => onProgress(progressOf(shares.map(withEntries), performance.now() - startedAt));
  const timer = setInterval(tell, TOLD_EVERY_MS);
  try {
    await Promise.all(shares.map((share) => judge(copy, share)));
  } finally {
    clearInterval(timer);
  }
  return new Map(shares.flatMap(({ mutants, journal }) => [...verdictsOf(mutants, readLines(journal))]));
}

function createShare(mutants, { copy, files, limits, share }) {
  const folder = join(copy, `share-${String(share)}`);
  mkdirSync(folder);
  const journal = join(folder, "journal.jsonl");
  writeFileSync(journal, "");
  return { mutants, folder, journal, stages: planStages(mutants, files, limits) };
}

function withEntries({ mutants, stages, journal }) {
  return { mutants, stages, entries: readLines(journal) };
}

async function judge(copy, { stages, folder, journal }) {
  for (const stage of stages) await playStage(stage, { copy, folder, journal });
}

async function playStage(stage, { copy, folder, journal }) {
  const plan = join(folder, "plan.json");
  for (let left = leftOf(stage, readLines(journal)); left.length > 0;) {
    const before = readLines(journal).length;
    writeFileSync(plan, JSON.stringify({ files: left }));
    const paths = left.map(({ path }) => path);
    const { output } = await run(copy, paths, { MUTATION_PLAN: plan, MUTATION_JOURNAL: journal });
    if (readLines(journal).length === before) throw new Error(`no mutant was played:\n${output.slice(-4_000)}`);
    left = leftOf(stage, readLines(journal));
  }
}

function readLines(path) {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

function run(cwd, tests, env) {
  return new Promise((resolve, reject) => {
    const words = ["run", "--config", "test/mutation/vitest.config.ts", "--reporter", "dot"];
    const options = { cwd, env: { ...process.env, ...env, MUTATION_TESTS: tests.join("\n") } };
    const child = spawn(join(cwd, "node_modules/.bin/vitest"), words, {
      ...options,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, output }));
  });
}
