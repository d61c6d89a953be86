// Runs the reads and writes of a store on a connection: each is one transaction and returns a promise, and errors get a code. After an
// error with `corrupt`, all methods but `close` reject, since a failed fsync may have lost data that a later read would still show
// (decision: storage).

import { createStoreError, type StoreError } from "@postrider/core";
import { type SqliteDatabase, nameError } from "./database.js";
import { readNumber, readSingleRow } from "../rows/rows.js";

export interface StoreConnection {
  /** Runs `work` in one transaction, on a snapshot of the file. */
  read<T>(work: () => T): Promise<T>;
  /** Runs `work` in one transaction, commits, then runs `onCommit`. The committed data survives a power cut. */
  write<T>(work: () => T, onCommit?: () => void): Promise<T>;
  /**
   * Moves the whole log into the file and restarts the log, so that no former version of a page is left. Returns false
   * if another connection reads or writes the log.
   */
  emptyLog(): Promise<boolean>;
  /** Closes the database. All other methods reject with `unavailable` from then on. */
  close(): Promise<void>;
}

interface ConnectionOptions {
  /** Asked by `close`: true if the log stays as it is, since a store that is closed later empties it. */
  readonly keepsLog?: (() => boolean) | undefined;
}

/** Creates the connection of a store. `prepareDatabase` must have prepared the database. */
export function createConnection(
  database: SqliteDatabase,
  { keepsLog = () => false }: ConnectionOptions = {},
): StoreConnection {
  let refusal: StoreError | undefined;
  let isOpen = true;

  /** Runs `work` and returns a promise, which rejects if `work` throws. Remembers a `corrupt` error. */
  function promise<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      try {
        resolve(work());
      } catch (error) {
        const storeError = nameError(error);
        if (storeError.code === "corrupt") refusal = storeError;
        reject(storeError);
      }
    });
  }

  function ask<T>(work: () => T): Promise<T> {
    return promise(() => {
      if (refusal !== undefined) throw refusal;
      return work();
    });
  }

  function inTransaction<T>(kind: TransactionKind, work: () => T, onCommit?: () => void): Promise<T> {
    return ask(() => {
      const result = transact(database, kind, work);
      onCommit?.();
      return result;
    });
  }

  return {
    read: (work) => inTransaction("deferred", work),
    write: (work, onCommit) => inTransaction("immediate", work, onCommit),
    emptyLog: () => ask(() => emptyLog(database)),
    close: () =>
      promise(() => {
        if (isOpen && refusal === undefined && !keepsLog()) leaveNoLog(database);
        refusal = createStoreError("unavailable", "the SQLite store is closed");
        if (isOpen) database.close();
        isOpen = false;
      }),
  };
}

/**
 * Moves the log into the file and empties the log. Otherwise the log could stay after `close`, since drivers keep
 * statements open, and a copy of the file alone would have an old state. If another connection uses the log, the log
 * stays, and nothing is lost.
 */
function leaveNoLog(database: SqliteDatabase): void {
  try {
    checkpoint(database, "truncate");
  } catch {
    // Nothing is lost if this fails: committed data is as safe in the log as in the file.
  }
}

/**
 * Moves the log into the file, and restarts the log with only the first page of the file, so that the log holds no
 * older pages. An empty log would have the same effect, but after a crash an empty log would look like a log that
 * another program has truncated.
 */
function emptyLog(database: SqliteDatabase): boolean {
  try {
    if (checkpoint(database, "restart").isBusy) return false;
    database.exec("pragma journal_size_limit = 0");
    writeToLog(database);
    // If another process has written in between, old frames are still in the log after the pages of that process.
    return checkpoint(database, "passive").pages === 1;
  } catch (error) {
    if (nameError(error).code === "busy") return false;
    throw error;
  } finally {
    database.exec("pragma journal_size_limit = -1");
  }
}

function checkpoint(database: SqliteDatabase, mode: string): { readonly isBusy: boolean; readonly pages: number } {
  const row = readSingleRow(database.prepare(`pragma wal_checkpoint(${mode})`).get());
  return { isBusy: readNumber(row, "busy") !== 0, pages: readNumber(row, "log") };
}

type TransactionKind = "immediate" | "deferred";

/**
 * Runs `work` in a transaction and commits it; rolls it back if anything throws, and throws that error. A transaction that
 * may write (`immediate`) takes the write lock at its start. If it took the lock later and another process had written
 * before, its first write would fail as busy.
 */
export function transact<T>(database: SqliteDatabase, kind: TransactionKind, work: () => T): T {
  database.exec(`begin ${kind}`);
  try {
    const result = work();
    database.exec("commit");
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/**
 * Rolls back. If the disk is full or a write has failed, SQLite may have rolled back already; then the statement
 * throws, and the error is ignored.
 */
function rollBack(database: SqliteDatabase): void {
  try {
    database.exec("rollback");
  } catch {
    // The first error is the one to report.
  }
}

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
