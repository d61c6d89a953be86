// Plays the mutants of a plan in one test file and one process: switches each on, runs its tests until one fails, and writes
// what came of it into a journal. A failure counts only if the same test passes again without the mutant, and an error that
// was not caught only in a process that has played nothing else.

import { appendFileSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { startTests } from "@vitest/runner";
import { TestRunner, vi } from "vitest";
import { switchOff, switchOn } from "./switch.js";
import { startWatchdog } from "./watch.js";

/** @param {import("vitest/runners").VitestTestRunner} runner */
export function playFile(runner) {
  const { files } = JSON.parse(readFileSync(process.env["MUTATION_PLAN"], "utf8"));
  const { onCollectStart } = runner;
  return Object.assign(runner, {
    onCollectStart(file) {
      onCollectStart.call(runner, file);
      switchOff();
    },
    async onBeforeRunFiles([file]) {
      const path = relative(runner.config.root, file.filepath);
      await playAll(runner, { file, path, plays: files.find((planned) => planned.path === path)?.plays ?? [] });
      // Its tests as such ran before, when it was noted what they reach.
      for (const task of file.tasks) task.mode = "skip";
    },
  });
}

async function playAll(runner, { file, path, plays }) {
  const journal = process.env["MUTATION_JOURNAL"];
  const noticed = new Set(readJournal(journal).flatMap(({ id, isNoticed }) => (isNoticed ? [id] : [])));
  const write = (entry) => appendFileSync(journal, `${JSON.stringify({ path, ...entry })}\n`);
  const watchdog = startWatchdog({ journal, path });
  let isClean = true;
  for (const play of plays.toSorted((one, other) => placeOf(one) - placeOf(other))) {
    if (noticed.has(play.id)) continue;
    write({ id: play.id, began: true });
    watchdog.watch(play.id, play.fileMs);
    const { failed, hits } = await playOne(runner, { file, play });
    watchdog.rest();
    const isPassing = failed === undefined || (await passes(runner, { file, failed, play }));
    // What failed with it and without it, and an error that came from nowhere, may be the fault of a mutant before it.
    const isItsOwn = isClean || (isPassing && failed?.isUncaught !== true);
    if (isItsOwn) write({ id: play.id, ...verdictOf({ failed, hits, play }) });
    if (!isPassing || !isItsOwn) leave();
    isClean = false;
    if (play.isAlone) leave();
  }
  watchdog.end();
}

/** What needs a separate process comes first, and what needs its modules anew comes last. */
function placeOf({ isAlone, isFresh }) {
  return isAlone ? 0 : 1 + Number(isFresh);
}

function verdictOf({ failed, hits, play }) {
  if (hits > play.hitLimit) return { verdict: "timed out", isNoticed: true, hits, by: "its hits" };
  if (failed === undefined) return { verdict: "survived", isNoticed: false, hits };
  return { verdict: failed.isTimeout ? "timed out" : "killed", isNoticed: true, hits, by: failed.name };
}

/** The process ends at once, with all that the mutant has left in it. The judge starts another one for what is left. */
function leave() {
  process.kill(process.pid, "SIGKILL");
}

async function playOne(runner, { file, play }) {
  if (play.isFresh) vi.resetModules();
  switchOn(play.id, play.hitLimit);
  const failed = await run(runner, { file, only: play.tests, testMs: play.testMs });
  const hits = switchOff();
  if (play.isFresh) vi.resetModules();
  return { failed, hits };
}

async function passes(runner, { file, failed, play }) {
  const again = await run(runner, { file, only: failed.id === undefined ? play.tests : [failed.id] });
  if (play.isFresh) vi.resetModules();
  return again === undefined;
}

/** Answers with the first test that failed, or with the file, or with an error that was not caught. */
async function run(runner, { file, only, testMs }) {
  const player = createPlayer(runner, { only: only === null ? null : new Set(only), testMs });
  const uncaught = [];
  const note = (error) => void uncaught.push(error);
  for (const event of UNCAUGHT) process.on(event, note);
  const [played] = await startTests([file.filepath], player);
  await new Promise(setImmediate);
  for (const event of UNCAUGHT) process.off(event, note);
  if (player.failed !== undefined) return player.failed;
  if (played.result?.state === "fail") return { name: "the file itself" };
  return uncaught.length === 0 ? undefined : { name: "an uncaught error", isUncaught: true };
}

/** Vitest fails a run in which one of these happens. */
const UNCAUGHT = ["uncaughtException", "unhandledRejection"];

/** A runner beside the one of Vitest, whose results stay here. It loads the test file anew and ends at a failure. */
function createPlayer(runner, { only, testMs }) {
  const limits = testMs === undefined ? {} : { testTimeout: testMs, hookTimeout: testMs };
  const player = new TestRunner({ ...runner.config, ...limits });
  Object.defineProperty(player, "moduleRunner", { value: runner.moduleRunner });
  player.__setTraces(runner._otel);
  const { importFile, onBeforeRunTask, onAfterRunTask } = player;
  return Object.assign(player, {
    failed: undefined,
    // What is imported for setup is loaded anew.
    importFile: (path) => importFile.call(player, path, "setup"),
    onCollected: ([file]) => void (only !== null && skipOthers(file.tasks, only)),
    async onBeforeRunTask(test) {
      if (player.failed !== undefined) test.mode = "skip";
      await onBeforeRunTask.call(player, test);
    },
    onAfterRunTask(test) {
      onAfterRunTask.call(player, test);
      if (test.result?.state !== "fail") return;
      const isTimeout = test.result.errors?.some(({ message }) => /timed out in \d+ms/.test(message)) ?? false;
      player.failed ??= { id: test.id, name: test.name, isTimeout };
    },
  });
}

/** Answers whether one is left. A suite that has none of them is skipped with its hooks. */
function skipOthers(tasks, only) {
  const left = tasks.filter((task) => (task.type === "test" ? only.has(task.id) : skipOthers(task.tasks, only)));
  for (const task of tasks) if (!left.includes(task)) task.mode = "skip";
  return left.length > 0;
}

function readJournal(path) {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}
