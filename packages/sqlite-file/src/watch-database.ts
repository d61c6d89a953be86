// Checks at the start of each transaction that the log was not cut short, and after each commit, before its success is
// reported, that the file and its log are still those that were opened (decision: truncated logs). Does not know what
// is stored.

import { createStoreError } from "@postrider/core";
import type { SqliteDatabase } from "@postrider/sqlite";
import { placeOfFile } from "./place-of-file.js";
import { sizeOfFile } from "./size-of-file.js";

/**
 * Watches one file for all connections of a thread. Once one connection finds the file or its log broken, none of these
 * connections changes the file any more. Commits to a file that was moved, replaced or removed would not be found at
 * the next start, and a log that another program has truncated has lost commits.
 */
export interface FileWatch {
  /**
   * Returns a database that does the same as the given one, but throws `corrupt` once the file or its log was moved,
   * replaced, removed or cut short.
   */
  watch(database: SqliteDatabase): SqliteDatabase;
  /** Whether a watched database has thrown `corrupt` for one of these reasons. */
  isBroken(): boolean;
}

/**
 * Creates the watch of a file. `onLoss` is called, with a reason for the operator, if commits are lost and the next
 * start could not detect that loss by itself.
 */
export function createFileWatch(file: string, onLoss: (reason: string) => void): FileWatch {
  const opened = new Map<string, string>();
  const log = `${file}-wal`;
  let logBytes = 0;
  let reason: string | undefined;

  function requireInPlace(path: string): void {
    const place = placeOfFile(path);
    const before = opened.get(path) ?? place;
    if (before !== undefined) opened.set(path, before);
    if (place !== undefined && place === before) return;
    refuse(`${path} has been moved, replaced or removed while it was open`, { isSeenAtStart: place === undefined });
  }

  /**
   * Throws if another program has cut the log short. A shorter log alone does not show that, since any process that
   * uses the file may restart the log: SQLite knows the length that the log must have.
   */
  function requireWhole(database: SqliteDatabase): void {
    if (opened.has(log)) requireInPlace(log);
    const bytes = sizeOfFile(log);
    if (bytes < logBytes && !hasAllFrames(database, log)) {
      const words = `${log} has been cut short by another program while it was open, and calls that were answered were in it`;
      refuse(words, { isSeenAtStart: false });
    }
    logBytes = bytes;
  }

  function refuse(words: string, { isSeenAtStart }: { readonly isSeenAtStart: boolean }): never {
    reason = words;
    if (!isSeenAtStart) onLoss(words);
    throw createStoreError("corrupt", words);
  }

  function requireUnbroken(): void {
    if (reason !== undefined) throw createStoreError("corrupt", reason);
  }

  return {
    watch: (database) => ({
      exec: (sql) => {
        requireUnbroken();
        if (sql.startsWith("begin ")) requireWhole(database);
        const answer = database.exec(sql);
        if (sql !== "commit") return answer;
        for (const path of [file, log]) requireInPlace(path);
        logBytes = sizeOfFile(log);
        return answer;
      },
      prepare: (sql) => {
        requireUnbroken();
        return database.prepare(sql);
      },
      close: () => database.close(),
    }),
    isBroken: () => reason !== undefined,
  };
}

/** The lengths of the header of a log, and of the header before each page in it. */
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/**
 * How often the length is read before the log counts as cut short: another process may restart the log between two
 * reads.
 */
const MAX_READS = 3;

function hasAllFrames(database: SqliteDatabase, log: string): boolean {
  for (let look = 0; look < MAX_READS; look += 1) {
    const frames = numberOf(database, "wal_checkpoint(noop)", "log");
    const frameBytes = numberOf(database, "page_size", "page_size") + FRAME_HEADER_BYTES;
    if (frames <= 0 || sizeOfFile(log) >= LOG_HEADER_BYTES + frames * frameBytes) return true;
  }
  return false;
}

function numberOf(database: SqliteDatabase, pragma: string, column: string): number {
  const row: unknown = database.prepare(`pragma ${pragma}`).get();
  return typeof row === "object" && row !== null ? Number(Reflect.get(row, column)) : 0;
}
