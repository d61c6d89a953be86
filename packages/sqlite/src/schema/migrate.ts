// Brings a file to the current schema version. Each step and its version number are one transaction, so a crash leaves
// the file as it was before the step. A file of a newer version, of another program, or of another kind (store or calls
// of a client) is not changed.

import { createStoreError } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { readNumber, readSingleRow } from "../rows/rows.js";
import { SCHEMA_STEPS } from "./schema.js";
import { transact } from "../file/connection.js";

/** The kind of a file: its application id, and the steps of its schema. */
export interface Schema {
  readonly applicationId: number;
  readonly steps: readonly string[];
}

/** Throws a `StoreError` if the file is of another program, or of a newer version. Changes nothing in it. */
export function requireOurs(database: SqliteDatabase, { applicationId, steps }: Schema): void {
  if (isForeign(database, applicationId)) throw refusal("belongs to another program: name another file");
  requireKnown(pragma(database, "user_version"), steps);
}

function isForeign(database: SqliteDatabase, applicationId: number): boolean {
  const id = pragma(database, "application_id");
  if (id === applicationId) return false;
  const { tables } = readSingleRow(database.prepare("select count(*) as tables from sqlite_master").get());
  // A new file has neither id nor tables; between the two reads, another process may have written both.
  return id !== 0 || (tables !== 0 && pragma(database, "application_id") !== applicationId);
}

/** Runs the steps that the file lacks. Throws a `StoreError` if the file is of a newer version. */
export function migrate(database: SqliteDatabase, steps: readonly string[] = SCHEMA_STEPS): void {
  while (stepOnce(database, steps)) {
    // Each pass runs one step, until the file has run all steps.
  }
}

/**
 * Runs the next step; returns false if there is none. The version is read under the write lock, since another process
 * may run the same step.
 */
function stepOnce(database: SqliteDatabase, steps: readonly string[]): boolean {
  return transact(database, "immediate", () => {
    const version = pragma(database, "user_version");
    requireKnown(version, steps);
    const step = steps[version];
    if (step === undefined) return false;
    database.exec(step);
    database.exec(`pragma user_version = ${String(version + 1)}`);
    return true;
  });
}

function requireKnown(version: number, steps: readonly string[]): void {
  if (version <= steps.length) return;
  throw refusal(`is of schema version ${String(version)}, newer than this Postrider: start the one that wrote it`);
}

function pragma(database: SqliteDatabase, name: "user_version" | "application_id"): number {
  return readNumber(readSingleRow(database.prepare(`pragma ${name}`).get()), name);
}

function refusal(problem: string): Error {
  return createStoreError("unavailable", `SQLite: the file ${problem}. It has not been touched`);
}
