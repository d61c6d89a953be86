// Kills a migration at every system call that changes a file. Prints the number of such calls.

import { spawnSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { expect, it } from "vitest";
import { newFile } from "../files.js";
import { runProgram } from "../run-program.js";
import { AS_BEFORE, expectToMigrate, fileOfThisVersion, lookAt, MIGRATED, NEXT_STEP } from "../schema/next-version.js";

const DELIVERIES = 40;
const MAX_CALLS = 500;
const NAMES = ["pwrite64", "fsync", "fdatasync", "ftruncate", "unlink"];

const canTrace = spawnSync("strace", ["-qq", "-o", "/dev/null", "true"]).status === 0;
if (!canTrace) console.warn("SKIPPED: strace is missing, so nothing is killed at a system call");

it.skipIf(!canTrace)("a migration killed at any system call leaves a file that opens with all its data", async () => {
  const original = await fileOfThisVersion(DELIVERIES);
  const kills: Record<string, number> = {};
  for (const name of NAMES) kills[name] = await killAtEach(name, original);
  console.log(`a migration of ${String(DELIVERIES)} deliveries, killed at each of`, kills, "calls: whole each time");
  expect(kills["pwrite64"]).toBeGreaterThan(5);
  expect((kills["fsync"] ?? 0) + (kills["fdatasync"] ?? 0)).toBeGreaterThan(0);
});

/** Answers how many such calls a migration makes. Its counter is one for each kind of call. */
async function killAtEach(name: string, original: string): Promise<number> {
  for (let call = 1; call <= MAX_CALLS; call += 1) {
    const file = newFile();
    copyFileSync(original, file);
    const inject = `inject=${name}:signal=KILL:when=${String(call)}`;
    const tracer = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", inject];
    const ended = await runProgram("migrate", [file, NEXT_STEP, "0"], tracer).ended.catch(() => []);
    expect([AS_BEFORE, MIGRATED]).toContain(lookAt(file));
    expectToMigrate(file, DELIVERIES);
    if (ended.length > 0) return call - 1;
  }
  throw new Error(`more than ${String(MAX_CALLS)} calls of ${name}`);
}
