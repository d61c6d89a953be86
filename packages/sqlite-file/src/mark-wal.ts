// Detects that a write-ahead log (WAL), FILE-wal, is missing: without it, SQLite opens the file in an older state and reports
// nothing. So while stores are open, a mark, the file FILE-open, shows that there is a log. A copy of the file alone has no
// mark, so a backup opens normally. It does not know who makes and removes the mark.

import { inspectWriteAheadLog } from "@postrider/sqlite";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createOpenError } from "./open-error.js";
import { sizeOfFile } from "./size-of-file.js";
import { syncFolderOf } from "./sync-folder.js";

/**
 * A longer log is not checked, since that would take too long. A log usually has 4 MB; it grows while a long read is
 * under way.
 */
const MAX_LOG_BYTES = 268_435_456;
/** At most this number of characters of the reason in a mark is reported. */
const MAX_REASON_CHARS = 8_192;
/** How often a log is read before it counts as broken: another process may be writing it during a read. */
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

/** Whether the mark says that the log was found broken. */
export function isMarkedBroken(file: string): boolean {
  return reasonIn(markOf(file)) !== "";
}

/**
 * The reason in a mark; empty if there is no mark, or if the mark has no reason. An empty mark is not read: closing any
 * handle on a file releases the locks that this process has on it (see hold-mark.ts).
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
