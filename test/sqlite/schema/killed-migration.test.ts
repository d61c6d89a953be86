// A file is migrated in whole steps, at whatever point its migration is killed.

import { copyFileSync } from "node:fs";
import { expect, it } from "vitest";
import { newFile } from "../files.js";
import { runProgram } from "../run-program.js";
import { AS_BEFORE, expectToMigrate, fileOfThisVersion, lookAt, MIGRATED, NEXT_STEP } from "./next-version.js";

const DELIVERIES = 5;
const MAX_STATEMENTS = 200;

it("a migration that is killed before any of its statements leaves the file as it was, or migrated", async () => {
  const original = await fileOfThisVersion(DELIVERIES);
  const looks: string[] = [];
  for (let statement = 1; statement <= MAX_STATEMENTS; statement += 1) {
    const file = newFile();
    copyFileSync(original, file);
    const ended = await runProgram("migrate", [file, NEXT_STEP, String(statement)]).ended.catch(() => []);
    looks.push(lookAt(file));
    expectToMigrate(file, DELIVERIES);
    if (ended.length > 0) break;
  }
  expect(new Set(looks)).toEqual(new Set([AS_BEFORE, MIGRATED]));
  expect(looks.length).toBeLessThan(MAX_STATEMENTS);
});
