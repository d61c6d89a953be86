// Detects that a write-ahead log (WAL), FILE-wal, is missing: without it, SQLite opens the file in an older state and reports nothing.
// So while stores are open, a mark, the file FILE-open, shows that there is a log; each process that has the file open holds a shared
// lock on it, which a crash releases, and only the last may remove it (decision: shared marks). A copy of the file alone has no mark.

import { inspectWriteAheadLog, type SqliteDatabase } from "../index.js";
import { existsSync, readFileSync, writeFileSync, closeSync, openSync, rmSync } from "node:fs";
import { createOpenError, codeOf, createPathError } from "./open-error.js";
import { sizeOfFile, syncFolderOf, identityOfFile } from "./file-system.js";
import { loadDriver } from "./load-driver.js";

/**
 * A longer log is not checked, since that would take too long. A log usually has 4 MB; it grows while a long read is
 * under way.
 */
const MAX_LOG_BYTES = 268_435_456;
/** At most this number of characters of the reason in a mark is reported. */
const MAX_REASON_CHARS = 8_192;
/** The number of times that a log is read before it counts as broken: another process may be writing it during a read. */
const MAX_READS = 3;

/**
 * Throws an `OpenError` if the log is missing or broken, if it was found broken while it was open, or if there is a log
 * without its file.
 */
export function requireIntactWal(file: string): void {
  const log = `${file}-wal`;
  const mark = markOf(file);
  // The mark is looked at before and after the log, since another process may be opening or closing its stores.
  const wasMarked = existsSync(mark);
  const logBytes = sizeOfFile(log);
  const reason = reasonIn(mark);
  if (reason !== "") {
    throw createOpenError(
      "log-broken",
      `it was found broken while it was open: ${reason}; put back a backup, or go on with what is left: ` +
        `in both cases remove ${mark} first`,
    );
  }
  if (wasMarked && logBytes === 0 && existsSync(mark)) {
    throw createOpenError(
      "log-missing",
      `its log ${log} is missing, and calls that were answered may be in it; ` +
        `put it back, or remove ${mark} to go on without them`,
    );
  }
  if (logBytes > 0 && sizeOfFile(file) === 0) {
    throw createOpenError(
      "file-missing",
      `it is missing or empty, but its log ${log} is there; put it back, or remove the log to start with an empty file`,
    );
  }
  if (logBytes > 0 && logBytes <= MAX_LOG_BYTES) requireSound(log);
}

/**
 * Writes `reason` into the mark. The file is then not opened until an operator has examined it and has removed the
 * mark. The reason is needed, since a log that was found broken while it was open may look sound at the next start.
 */
export function markBroken(file: string, reason: string): void {
  try {
    writeFileSync(markOf(file), reason, { mode: 0o600, flush: true });
    syncFolderOf(file);
  } catch {
    // The disk did not store the reason. The stores have failed in any case, and a mark without a reason still shows
    // that there is a log.
  }
}

export function markOf(file: string): string {
  return `${file}-open`;
}

/** True if the mark says that the log was found broken. */
function isMarkedBroken(file: string): boolean {
  return reasonIn(markOf(file)) !== "";
}

/**
 * The reason in a mark; empty if there is no mark, or if the mark has no reason. An empty mark is not read: closing any
 * handle on a file releases the locks that this process has on it (see `holdMark`).
 */
function reasonIn(mark: string): string {
  return sizeOfFile(mark) > 0 ? readFileSync(mark, "utf8").slice(0, MAX_REASON_CHARS) : "";
}

function requireSound(log: string): void {
  for (let look = 1; inspectWriteAheadLog(readFileSync(log)) !== "sound"; look += 1) {
    if (look < MAX_READS) continue;
    throw createOpenError(
      "log-broken",
      `its log ${log} is broken, and calls that were answered may be in it; ` +
        `put back a copy of the log, or remove the log to go on without them`,
    );
  }
}

/** The mark of a file, held by one pair of stores. */
export interface HeldMark {
  /**
   * Gives the mark up. Removes it if no other stores hold it and it has no reason. To be called once, before the stores
   * are closed normally. Returns true as `isShared` if other stores hold it: the log belongs to them then, and must stay.
   */
  release(): { readonly isShared: boolean };
  /** Gives the mark up and leaves it: the next start examines the log. */
  leave(): void;
}

/** The number of times that the mark is made anew because other stores were removing it at the same time. */
const MAX_TRIES = 20;
/** The time in milliseconds for which another process may keep the mark locked while it removes it. */
const REMOVAL_TIMEOUT_MS = 1_000;

/**
 * Makes the mark if there is none, and holds it: from now on, the file is not opened without its log. To be called once
 * the log has been written to, so that a crash leaves no mark without a log. Throws an `OpenError`.
 */
export function holdMark(file: string): HeldMark {
  const mark = markOf(file);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const identity = makeMark(file, mark);
    const lock = lockMark(file, mark);
    if (identityOfFile(mark) === identity) return createHeldMark(file, lock);
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

/** Makes the mark if there is none. Returns its identity. */
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
  return identityOfFile(mark);
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
