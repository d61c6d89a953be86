// Detects that a write-ahead log (WAL) is missing: SQLite keeps its latest commits in a separate file, FILE-wal; without it,
// SQLite opens the file in an older state, and reports nothing. So while stores are open a mark, the file FILE-open, shows that
// there is a log. A copy of the file alone has no mark, so a backup opens normally.

import { inspectWriteAheadLog } from "@postrider/sqlite";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { createOpenError, createPathError } from "./open-error.js";
import { sizeOfFile } from "./size-of-file.js";

/** A longer log is not checked, since that would take too long. A log is usually 4 MB; a long reader makes it grow. */
const MAX_LOG_BYTES = 268_435_456;
/** At most this much of the reason in a mark is reported. */
const MAX_REASON_CHARS = 8_192;
/** How often a log is read before it counts as broken: another process may be writing it during a read. */
const MAX_READS = 3;

/** Throws an `OpenError` if the log is missing or broken, or was found broken before, or the file of a log is missing. */
export function requireWal(file: string): void {
  const log = `${file}-wal`;
  const logBytes = sizeOfFile(log);
  const reason = reasonIn(markOf(file));
  if (reason !== "") {
    throw createOpenError(
      "log-broken",
      `it was found broken while it was open: ${reason}; put back a backup, or go on with what is left: ` +
        `in both cases remove ${markOf(file)} first`,
    );
  }
  if (logBytes === 0 && existsSync(markOf(file))) {
    throw createOpenError(
      "log-missing",
      `its log ${log} is missing, and calls that were answered may be in it; ` +
        `put it back, or remove ${markOf(file)} to go on without them`,
    );
  }
  if (logBytes > 0 && sizeOfFile(file) === 0) {
    throw createOpenError(
      "file-missing",
      `it is missing or empty, but its log ${log} is there; put it back, or remove the log to begin anew`,
    );
  }
  if (logBytes > 0 && logBytes <= MAX_LOG_BYTES) requireSound(log);
}

/**
 * From now on, the file must not be opened without its log. For a file whose stores are open: the mark is made after the log
 * and removed before the log, so that a crash in between leaves no mark without a log.
 */
export function markWal(file: string): void {
  if (existsSync(markOf(file))) return;
  try {
    syncFolder(file);
    writeFileSync(markOf(file), "", { mode: 0o600 });
  } catch (error) {
    const words = error instanceof Error ? error.message : "unknown fault";
    throw createPathError(`its folder cannot be written to (${words})`, error);
  }
}

/**
 * The file must not be opened any more before an operator has examined it. A log that was found broken while it was open may
 * look sound afterwards: the mark then has `reason` as text, and stays until an operator removes it.
 */
export function markBroken(file: string, reason: string): void {
  try {
    writeFileSync(markOf(file), reason, { mode: 0o600, flush: true });
    syncFolder(file);
  } catch {
    // The disk did not store the reason. The stores have failed in any case, and the mark without it still shows that there
    // is a log.
  }
}

/**
 * Removes the mark, unless it has a reason. For stores that are about to be closed normally. Other stores that share the
 * file then have no mark either.
 */
export function unmarkWal(file: string): void {
  if (reasonIn(markOf(file)) !== "") return;
  rmSync(markOf(file), { force: true });
  syncFolder(file);
}

function markOf(file: string): string {
  return `${file}-open`;
}

/** Empty if there is no mark, or one without a reason. */
function reasonIn(mark: string): string {
  return existsSync(mark) ? readFileSync(mark, "utf8").slice(0, MAX_REASON_CHARS) : "";
}

function requireSound(log: string): void {
  for (let look = 1; inspectWriteAheadLog(readFileSync(log)) !== "sound"; look += 1) {
    if (look < MAX_READS) continue;
    throw createOpenError(
      "log-broken",
      `its log ${log} is broken, and calls that were answered may be in it; ` +
        `put back a copy, or remove what is broken to go on without them`,
    );
  }
}

/** Syncs the folder of the file, so that files made or removed in it stay so after a power cut. */
function syncFolder(file: string): void {
  const folder = openSync(dirname(file), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
