// Sees to it that no log goes missing. SQLite keeps its latest commits in a file of their own, FILE-wal; without it, it
// opens the file as it was some time ago, and says nothing. So while a store is open a mark, FILE-open, says that there
// is a log. It is made once the log is there for good, and goes before the log does: a crash between leaves no mark.
// A copy of the file alone has no mark, and a backup opens as it is.

import { inspectLog } from "@postrider/sqlite";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** A log is usually 4 MB. A larger one has had a long reader; to look through it would take too long. */
const MAX_LOG_BYTES = 268_435_456;
/** Another process may be writing it just then: what looks broken has to look so each time. */
const LOOKS = 3;

/** Throws an `Error` that says in words why the file and its log do not belong together. */
export function requireLog(file: string): void {
  const log = `${file}-wal`;
  const logBytes = sizeOf(log);
  if (logBytes === 0 && existsSync(markOf(file))) {
    throw new Error(
      `its log ${log} is missing, and calls that were answered may be in it; ` +
        `put it back, or remove ${markOf(file)} to go on without them`,
    );
  }
  if (logBytes > 0 && sizeOf(file) === 0) {
    throw new Error(
      `it is missing or empty, but its log ${log} is there; put it back, or remove the log to begin anew`,
    );
  }
  if (logBytes > 0 && logBytes <= MAX_LOG_BYTES) requireSound(log);
}

/** From now on, the file must not be opened without its log. For a store that is open. */
export function markLog(file: string): void {
  if (existsSync(markOf(file))) return;
  try {
    syncFolder(file);
    writeFileSync(markOf(file), "", { mode: 0o600 });
  } catch (error) {
    const words = error instanceof Error ? error.message : "unknown fault";
    throw new Error(`its folder cannot be written to (${words})`, { cause: error });
  }
}

/** For a store that is about to be closed in order. Others that share the file lose their mark as well. */
export function unmarkLog(file: string): void {
  rmSync(markOf(file), { force: true });
  syncFolder(file);
}

function markOf(file: string): string {
  return `${file}-open`;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function requireSound(log: string): void {
  for (let look = 1; inspectLog(readFileSync(log)) !== "sound"; look += 1) {
    if (look < LOOKS) continue;
    throw new Error(
      `its log ${log} is broken, and calls that were answered may be in it; ` +
        `put back a copy, or remove what is broken to go on without them`,
    );
  }
}

/** What was made or removed in its folder is so after a power cut, too. */
function syncFolder(file: string): void {
  const folder = openSync(dirname(file), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
