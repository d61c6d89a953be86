// Prepares a connection for a store: checks the version of the library, sets the pragmas that each connection needs, brings the schema
// up to date, and prepares statements. Durability depends on `synchronous`: some builds of SQLite weaken it silently in WAL mode while
// the pragma still answers FULL, so it is always set and never read (decision: storage).

import { createStoreError, type StoreError } from "@postrider/core";
import { type SqliteDatabase, nameError } from "./database.js";
import { migrate, requireOurs, type Schema } from "../schema/migrate.js";
import { readNumber, readSingleRow, readText } from "../rows/rows.js";
import { APPLICATION_ID, SCHEMA_STEPS } from "../schema/schema.js";

/** Older versions can corrupt a file that two connections use (sqlite.org/wal.html#walresetbug). */
const MIN_SQLITE_VERSION = "3.51.3";

/**
 * The time for which a call may block its thread while another process holds the lock. Callers repeat a failed call a few
 * times, with growing delays.
 */
const BUSY_TIMEOUT_MS = 25;
/** The same limit while a store is opened, when no other work waits for this thread. */
const OPENING_TIMEOUT_MS = 5_000;
/**
 * Pages in the log after which a checkpoint is made: 4 MB. Such a checkpoint blocks the thread that commits for less
 * time than a rarer, larger checkpoint would. The price is 20 microseconds for each delivery that has waited, since its
 * pages are scattered; a delivery that is sent at once costs the same.
 */
const CHECKPOINT_PAGES = 1_000;
/**
 * The size of the cache of file pages of a connection, in KiB. Lists, sweeps and claims read pages that recent commits
 * did not touch.
 */
const CACHE_KB = 32_000;

/**
 * A file up to this size is checked in full, including whether its indexes match its tables. The check takes 4 ms per
 * megabyte on two cores of 2026.
 */
const MAX_BYTES_CHECKED = 33_554_432;
/**
 * In a larger file up to this size, only pages and rows are checked, which takes 1.5 ms per megabyte. A file that is
 * larger still is not checked.
 */
const MAX_BYTES_SKIMMED = 268_435_456;

export const STORE_SCHEMA: Schema = { applicationId: APPLICATION_ID, steps: SCHEMA_STEPS };

/**
 * Prepares a connection for a store. Throws a `StoreError` that says what is wrong and what to do. `isChecked`: the
 * file was just checked, and is not checked again.
 */
export function prepareDatabase(
  database: SqliteDatabase,
  schema: Schema = STORE_SCHEMA,
  isChecked: boolean = false,
): void {
  try {
    requireVersion(database);
    database.exec(`pragma busy_timeout = ${String(OPENING_TIMEOUT_MS)}`);
    requireOurs(database, schema);
    requireWal(database);
    // Temporary data stays in memory. SQLite then opens only the database, its log and the index of the log, so that a
    // full disk or too many open files cannot make a query fail.
    database.exec("pragma temp_store = memory");
    database.exec("pragma synchronous = full");
    // Deleted bytes are overwritten: data of a deleted user must not stay in the free space of a page.
    database.exec("pragma secure_delete = on");
    database.exec(`pragma wal_autocheckpoint = ${String(CHECKPOINT_PAGES)}`);
    database.exec(`pragma cache_size = ${String(-CACHE_KB)}`);
    migrate(database, schema.steps);
    if (!isChecked) requireSound(database);
    database.exec(`pragma busy_timeout = ${String(BUSY_TIMEOUT_MS)}`);
  } catch (error) {
    throw advise(nameError(error));
  }
}

/** Throws a `StoreError` if the SQLite library is too old for a store. */
export function requireVersion(database: SqliteDatabase): void {
  const version = readText(readSingleRow(database.prepare("select sqlite_version() as version").get()), "version");
  if (isUsableSqliteVersion(version)) return;
  throw createStoreError("unavailable", `SQLite ${version} is too old: at least ${MIN_SQLITE_VERSION} is needed`);
}

/** True if a store may be opened with this version of the SQLite library, such as "3.53.0". */
export function isUsableSqliteVersion(version: string): boolean {
  return rank(version) >= rank(MIN_SQLITE_VERSION);
}

/** A version of three numbers as one number that can be compared. */
function rank(version: string): number {
  return version.split(".").reduce((sum, part) => sum * 1_000 + Number(part), 0);
}

/**
 * Sets the mode, then reads it by a second pragma: the first one answers with the new mode before the mode is written, and
 * may still fail after that.
 */
function requireWal(database: SqliteDatabase): void {
  database.exec("pragma journal_mode = wal");
  const mode = readText(readSingleRow(database.prepare("pragma journal_mode").get()), "journal_mode");
  if (mode === "wal") return;
  throw createStoreError(
    "unavailable",
    `SQLite: the database cannot keep a write-ahead log (its journal mode is ${mode})`,
  );
}

/**
 * Searches for damage by a broken disk, if the file is not too large. In a larger file damage is found when the data is
 * read; because of the checksums, damaged data is not sent.
 */
function requireSound(database: SqliteDatabase): void {
  const check = checkFor(readSize(database));
  if (check === undefined) return;
  const report = readText(readSingleRow(database.prepare(`pragma ${check}(1)`).get()), check);
  if (report !== "ok")
    throw createStoreError("corrupt", `SQLite: the file is broken (${report.replaceAll(/\s+/g, " ").trim()})`);
}

function checkFor(bytes: number): "integrity_check" | "quick_check" | undefined {
  if (bytes <= MAX_BYTES_CHECKED) return "integrity_check";
  return bytes <= MAX_BYTES_SKIMMED ? "quick_check" : undefined;
}

function readSize(database: SqliteDatabase): number {
  const pages = readNumber(readSingleRow(database.prepare("pragma page_count").get()), "page_count");
  return pages * readNumber(readSingleRow(database.prepare("pragma page_size").get()), "page_size");
}

/**
 * Prepares the statements of a store. SQLite can refuse a statement only if a table or column of the schema is missing: the
 * file is broken, or was made before the schema had them, since a schema is changed in place until a version is published.
 */
export function prepareStatements<T>(prepare: () => T): T {
  try {
    return prepare();
  } catch (error) {
    const { code, message } = nameError(error);
    const why = `${message}: the file is broken, or of a build from before the first release`;
    throw advise(createStoreError(code === "unavailable" ? "corrupt" : code, why, error));
  }
}

/** The same error; its message ends with advice if there is any for it. */
export function advise(error: StoreError): StoreError {
  const advice = ADVICE.find(([pattern]) => pattern.test(error.message))?.[1];
  return advice === undefined ? error : createStoreError(error.code, `${error.message}; ${advice}`, error.cause);
}

const RESTORE =
  "nothing in it has been changed: put back a backup, or save what can be read with `sqlite3 FILE .recover`";

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/file is not a database/, "it has not been touched: name another file, or put back the right one"],
  [/malformed|is broken|is not what the schema says|no such (table|column)/, RESTORE],
  [/disk I\/O error/, "nothing that was answered is lost by that: check the disk, then start again"],
  [/disk is full/, "nothing is lost: make room, then start again"],
  [/is locked/, "another process holds it: end that one, or try again"],
  [/readonly/, "it can only be read: the file and its folder must be writable by this process"],
  [/unable to open/, "the files beside it cannot be made or opened: its folder must be writable by this process"],
];
