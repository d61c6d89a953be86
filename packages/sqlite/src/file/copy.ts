// Copies the file of a store while other connections use it: the copy is the state of one moment, without free pages and
// without a log. Does not sync the copy.

import { createStoreError } from "@postrider/core";
import { readNumber, readSingleRow, readText } from "../rows/rows.js";
import { requireOurs } from "../schema/migrate.js";
import { APPLICATION_ID } from "../schema/schema.js";
import { advise, requireVersion, STORE_SCHEMA } from "./open.js";
import { type SqliteDatabase, nameError } from "./database.js";

/** The time for which a copy waits for the lock of another process, such as one that opens the file after a crash. */
const LOCKED_TIMEOUT_MS = 30_000;

/** A copy that has not begun. */
interface StoreCopy {
  /** The bytes that the copy will have, about; writes to the file in the meantime are not counted. */
  readonly bytes: number;
  /**
   * Writes the copy, which blocks the thread: about a second for 100 MB. Writers are not blocked, but the log of the file
   * grows until the copy is complete. Throws a `StoreError`; the copy is then of no use.
   */
  write(): void;
}

/**
 * Prepares a copy of the store in `database` to the file `path`, which must be missing or empty. The connection may be
 * read-only; a read-only one changes nothing. Throws a `StoreError` if the file is no store, or of a newer version.
 */
export function prepareStoreCopy(database: SqliteDatabase, path: string): StoreCopy {
  return withNamedErrors(() => {
    requireVersion(database);
    database.exec(`pragma busy_timeout = ${String(LOCKED_TIMEOUT_MS)}`);
    requireOurs(database, STORE_SCHEMA);
    if (pragma(database, "application_id") !== APPLICATION_ID)
      throw createStoreError("unavailable", "it is no store yet");
    const pages = pragma(database, "page_count") - pragma(database, "freelist_count");
    return {
      bytes: pages * pragma(database, "page_size"),
      write: () => withNamedErrors(() => void database.exec(`vacuum into '${path.replaceAll("'", "''")}'`)),
    };
  });
}

/**
 * Checks a copy in full: its pages, rows and indexes, at 4 ms for each megabyte. Throws a `StoreError` with the code `corrupt`
 * if something is wrong in it. Does not compare bodies with their checksums, as a claim does.
 */
export function checkStoreCopy(database: SqliteDatabase): void {
  withNamedErrors(() => {
    requireOurs(database, STORE_SCHEMA);
    const report = readText(readSingleRow(database.prepare("pragma integrity_check(1)").get()), "integrity_check");
    if (report !== "ok")
      throw createStoreError("corrupt", `SQLite: the copy is broken (${report.replaceAll(/\s+/g, " ").trim()})`);
  });
}

function pragma(database: SqliteDatabase, name: string): number {
  return readNumber(readSingleRow(database.prepare(`pragma ${name}`).get()), name);
}

function withNamedErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw advise(nameError(error));
  }
}
