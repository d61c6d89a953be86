// Makes the mark of a file and removes it. Each process that has the file open holds a shared lock on the mark, as SQLite
// takes it on an empty database, and only the last may remove the mark. The system releases the lock of a process that ends,
// so that a crash leaves none (decision: shared marks).

import type { SqliteDatabase } from "@postrider/sqlite";
import { closeSync, openSync, rmSync } from "node:fs";
import { loadDriver } from "./load-driver.js";
import { isMarkedBroken, markOf, requireIntactWal } from "./mark-wal.js";
import { codeOf, createOpenError, createPathError } from "./open-error.js";
import { placeOfFile } from "./place-of-file.js";
import { syncFolderOf } from "./sync-folder.js";

/** The mark of a file, held by one pair of stores. */
export interface HeldMark {
  /**
   * Gives the mark up. Removes it if no other stores hold it and it has no reason. To be called once, before the stores
   * are closed normally. Returns whether other stores hold it: the log belongs to them then, and must stay.
   */
  release(): { readonly isShared: boolean };
  /** Gives the mark up and leaves it: the next start examines the log. */
  leave(): void;
}

/** How often the mark is made anew because other stores were removing it at the same time. */
const MAX_TRIES = 20;
/** How long another process may keep the mark locked while it removes it, in milliseconds. */
const REMOVAL_TIMEOUT_MS = 1_000;

/**
 * Makes the mark if there is none, and holds it: from now on, the file is not opened without its log. To be called once
 * the log has been written to, so that a crash leaves no mark without a log. Throws an `OpenError`.
 */
export function holdMark(file: string): HeldMark {
  const mark = markOf(file);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const place = makeMark(file, mark);
    const lock = lockMark(file, mark);
    if (placeOfFile(mark) === place) return createHeldMark(file, lock);
    lock.close();
  }
  throw createOpenError("busy", `other processes make and remove ${mark} all the time`);
}

function createHeldMark(file: string, lock: SqliteDatabase): HeldMark {
  return {
    release: () => {
      try {
        if (!lockExclusively(lock)) return { isShared: true };
        if (!isMarkedBroken(file)) removeMark(file);
        return { isShared: false };
      } finally {
        lock.close();
      }
    },
    leave: () => lock.close(),
  };
}

/** Makes the mark if there is none. Returns its place. */
function makeMark(file: string, mark: string): string | undefined {
  try {
    // The log must not be lost with its folder's entry in a power cut that leaves the mark.
    syncFolderOf(file);
    closeSync(openSync(mark, "wx", 0o600));
  } catch (error) {
    if (codeOf(error) !== "EEXIST") {
      const words = error instanceof Error ? error.message : "unknown fault";
      throw createPathError(`its folder cannot be written to (${words})`, error);
    }
  }
  return placeOfFile(mark);
}

function removeMark(file: string): void {
  rmSync(markOf(file), { force: true });
  syncFolderOf(file);
}

/** Takes the shared lock of SQLite, which lasts as long as the transaction. */
function lockMark(file: string, mark: string): SqliteDatabase {
  const { DatabaseSync } = loadDriver();
  const database = new DatabaseSync(mark);
  try {
    // Without a journal on the disk, SQLite writes no file for the exclusive lock either.
    database.exec(`pragma journal_mode = memory; pragma busy_timeout = ${String(REMOVAL_TIMEOUT_MS)}`);
    database.exec("begin; select count(*) from sqlite_schema");
    return database;
  } catch (error) {
    database.close();
    // Stores of another process may have written a reason into the mark meanwhile.
    requireIntactWal(file);
    throw error;
  }
}

function lockExclusively(lock: SqliteDatabase): boolean {
  try {
    lock.exec("commit; pragma busy_timeout = 0; begin exclusive");
    return true;
  } catch {
    return false;
  }
}
