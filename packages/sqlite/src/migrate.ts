// Brings a file to the schema of this version, step by step, each in one transaction with the version that it reaches:
// a crash leaves a file of the step before. A file of a newer version, of another program, or for other things of ours,
// is not touched.

import type { SqliteDatabase } from "./database.js";
import { storeError } from "./name-error.js";
import { readNumber, readOnly } from "./read-row.js";
import { APPLICATION_ID, SCHEMA_STEPS, type SchemaStep } from "./schema.js";
import { transact } from "./transact.js";

/** Runs the steps that the file lacks. Throws a `StoreError` where the file cannot be ours. */
export function migrate(
  database: SqliteDatabase,
  steps: readonly SchemaStep[] = SCHEMA_STEPS,
  applicationId: number = APPLICATION_ID,
): void {
  refuseForeign(database, applicationId);
  while (stepOnce(database, steps)) {
    // Each pass is one step; there are as many as the list has.
  }
}

/** The version is read under the write lock: another process may be at the same step. */
function stepOnce(database: SqliteDatabase, steps: readonly SchemaStep[]): boolean {
  return transact(database, "immediate", () => {
    const version = pragma(database, "user_version");
    if (version > steps.length)
      throw refusal(`is of schema version ${String(version)}, newer than this Postrider: start the one that wrote it`);
    const step = steps[version];
    if (step === undefined) return false;
    database.exec(step.sql);
    step.fill?.(database);
    database.exec(`pragma user_version = ${String(version + 1)}`);
    return true;
  });
}

function refuseForeign(database: SqliteDatabase, applicationId: number): void {
  const id = pragma(database, "application_id");
  if (id === applicationId) return;
  const { tables } = readOnly(database.prepare("select count(*) as tables from sqlite_master").get());
  // Zero is a file of nobody in particular; once tables are in it, it is somebody's.
  if (id !== 0 || (tables !== 0 && pragma(database, "application_id") !== applicationId)) {
    throw refusal("belongs to another program: name another file");
  }
}

function pragma(database: SqliteDatabase, name: "user_version" | "application_id"): number {
  return readNumber(readOnly(database.prepare(`pragma ${name}`).get()), name);
}

function refusal(problem: string): Error {
  return storeError("unavailable", `SQLite: the file ${problem}. It has not been touched`);
}
