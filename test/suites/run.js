// `npm test` and `npm run test:all`: runs the stages of a suite of suites.js and ends with its price: the CPU time of all that
// it started, beside that of a fixed loop in the same run, and the dearest files. Its exit status is 1 if a step failed.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cpuOfChildrenMs, createReference, describePrice } from "./price.js";
import { SUITES } from "./suites.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const REPORTER = fileURLToPath(new URL("durations.js", import.meta.url));
/** Where Linux has files in memory. */
const SHARED_MEMORY = "/dev/shm";
const MIN_MEMORY_BYTES = 2 ** 31;
/** What has been started and has not ended. A signal is passed on to it; the suite then ends as with any failed step. */
const running = new Set();

process.exitCode = await main(process.argv[2]);

/**
 * @param {string | undefined} name
 * @returns {Promise<number>} 2 if there is no such suite
 */
async function main(name) {
  const suite = SUITES[name];
  if (suite === undefined) {
    console.error(`usage: node test/suites/run.js ${Object.keys(SUITES).join("|")}`);
    return 2;
  }
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => running.forEach((child) => child.kill(signal)));
  const folder = mkdtempSync(join(suite.isInMemory ? memoryFolder() : tmpdir(), "postrider-suite-"));
  try {
    return await runSuite(suite, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A folder in memory, in which no commit of a test waits for a disk; the usual one where there is none with enough room. */
function memoryFolder() {
  if (!existsSync(SHARED_MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(SHARED_MEMORY);
  return bavail * bsize >= MIN_MEMORY_BYTES ? SHARED_MEMORY : tmpdir();
}

async function runSuite({ stages, keptRatio }, folder) {
  const durations = join(folder, "durations");
  const startedAt = performance.now();
  const reference = createReference();
  const failed = [];
  for (const stage of stages) {
    reference.run();
    console.log(`running: ${stage.map(({ name }) => name).join(", ")}`);
    const play = (step) => runStep(step, { folder, durations, isAlone: stage.length === 1 });
    const statuses = await Promise.all(stage.map(play));
    failed.push(...stage.filter((_, index) => statuses[index] !== 0).map(({ name }) => name));
    if (failed.length > 0) break;
  }
  reference.run();
  const wallMs = performance.now() - startedAt;
  console.log(
    describePrice({ wallMs, cpuMs: cpuOfChildrenMs(), referenceMs: reference.cpuMs(), keptRatio, durations }),
  );
  if (failed.length > 0) console.error(`FAILED: ${failed.join(", ")}`);
  return failed.length > 0 ? 1 : 0;
}

/** Runs a step; one that is not alone prints when it has ended, so that no two outputs mix. */
async function runStep({ name, command }, { folder, durations, isAlone }) {
  const startedAt = performance.now();
  const [program, ...words] = withDurations(command);
  const child = spawn(program, words, {
    cwd: ROOT,
    stdio: ["ignore", isAlone ? "inherit" : "pipe", isAlone ? "inherit" : "pipe"],
    env: { ...process.env, TMPDIR: folder, POSTRIDER_BUILT: "1", POSTRIDER_DURATIONS: durations },
  });
  running.add(child);
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (bytes) => printed.push(bytes));
  const status = await new Promise((resolve) => {
    child.once("error", (error) => {
      printed.push(Buffer.from(`${program}: ${error.message}; run it by npm\n`));
      resolve(1);
    });
    child.once("close", (code) => resolve(code ?? 1));
  });
  running.delete(child);
  process.stdout.write(Buffer.concat(printed));
  console.log(`${status === 0 ? "ok" : "FAILED"}: ${name}, ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  return status;
}

/** Vitest notes beside its usual output how long each file takes. */
function withDurations(command) {
  return command[0] === "vitest" ? [...command, "--reporter", "default", "--reporter", REPORTER] : command;
}
