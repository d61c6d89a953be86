// Writes to the log without a change of the file's content, so that the log is not empty.

import { nameError } from "./name-error.js";
import { readNumber, readSingleRow } from "../rows/columns.js";
import type { SqliteDatabase } from "./database.js";
import { transact } from "./transact.js";

/** Commits the first page of the file as it is, so that the log has at least that page. Throws a `StoreError`. */
export function writeToLog(database: SqliteDatabase): void {
  try {
    transact(database, "immediate", () => {
      const version = readNumber(readSingleRow(database.prepare("pragma user_version").get()), "user_version");
      database.exec(`pragma user_version = ${String(version)}`);
    });
  } catch (error) {
    throw nameError(error);
  }
}
