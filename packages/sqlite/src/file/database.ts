// Declares the type of the database driver that a store needs, and gives its errors their codes. It names no driver: `DatabaseSync` of
// node:sqlite and of @photostructure/sqlite has this type, and so has `Database` of better-sqlite3.

import { createStoreError, type StoreError, type StoreErrorCode } from "@postrider/core";
import { storeErrorCodeOf } from "@postrider/core/engine";

/** A value bound to a `?`, or held by a column. */
export type SqlValue = null | number | bigint | string | Uint8Array;

/** The part of a prepared statement of a driver that is used. */
export interface SqliteStatement {
  /** For statements that return no rows. */
  run(...values: SqlValue[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  /** The first row, as an object by column name; undefined if there is none. */
  get(...values: SqlValue[]): unknown;
  /** All rows. */
  all(...values: SqlValue[]): readonly unknown[];
}

/** An open connection. All methods are synchronous and may throw; integers are returned as numbers. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

/**
 * The same error if it already has a code of the port, otherwise a new error whose `cause` is the given error. Drivers give
 * the result code in three ways: node:sqlite as a number in `errcode`, better-sqlite3 as a name in `code`, and `all` of
 * @photostructure/sqlite only in the message. An error that gives no known code is `unavailable`: its outcome is unknown.
 */
export function nameError(error: unknown): StoreError {
  if (isStoreError(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return createStoreError(codeOf(error, message), `SQLite: ${message}`, error);
}

function isStoreError(error: unknown): error is StoreError {
  return error instanceof Error && storeErrorCodeOf(error) !== undefined;
}

function codeOf(error: unknown, message: string): StoreErrorCode {
  return byNumber(field(error, "errcode")) ?? byName(field(error, "code")) ?? byMessage(message) ?? "unavailable";
}

function field(error: unknown, name: "errcode" | "code"): unknown {
  return typeof error === "object" && error !== null ? (error as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** The low byte of an extended result code is the plain result code (sqlite.org/rescode.html). */
function byNumber(code: unknown): StoreErrorCode | undefined {
  if (typeof code !== "number") return undefined;
  if (code === NO_ROOM_FOR_INDEX) return "full";
  return BY_NUMBER.get(code & 0xff) ?? "unavailable";
}

/**
 * SQLITE_IOERR_SHMSIZE: the index of the log, which holds no data that must be kept, could not grow. Nothing has been
 * written. If the disk is not full but broken, the next write fails too.
 */
const NO_ROOM_FOR_INDEX = 4874;

/** After a failed read, write or fsync nothing can be trusted: the kernel may have dropped the pages. */
const BY_NUMBER: ReadonlyMap<number, StoreErrorCode> = new Map([
  [5, "busy"], // SQLITE_BUSY
  [6, "busy"], // SQLITE_LOCKED
  [10, "corrupt"], // SQLITE_IOERR
  [11, "corrupt"], // SQLITE_CORRUPT
  [13, "full"], // SQLITE_FULL
  [19, "corrupt"], // SQLITE_CONSTRAINT: only a broken file can cause it, since every write checks before
  [26, "corrupt"], // SQLITE_NOTADB
]);

const NAMES: readonly (readonly [RegExp, StoreErrorCode])[] = [
  [/^SQLITE_(BUSY|LOCKED)/, "busy"],
  [/^SQLITE_FULL/, "full"],
  [/^SQLITE_IOERR_SHMSIZE/, "full"],
  [/^SQLITE_(IOERR|CORRUPT|CONSTRAINT|NOTADB)/, "corrupt"],
  [/^ERR_OUT_OF_RANGE/, "corrupt"], // an integer that was never written
];

function byName(name: unknown): StoreErrorCode | undefined {
  if (typeof name !== "string") return undefined;
  return NAMES.find(([pattern]) => pattern.test(name))?.[1];
}

const MESSAGES: readonly (readonly [RegExp, StoreErrorCode])[] = [
  [/^database (table |schema )?is locked/, "busy"],
  [/^database or disk is full/, "full"],
  [/^(disk I\/O error|database disk image is malformed|file is not a database)/, "corrupt"],
];

function byMessage(message: string): StoreErrorCode | undefined {
  return MESSAGES.find(([pattern]) => pattern.test(message))?.[1];
}
