// Opens the two stores of a file, deliveries and audiences, each on a separate connection, and watches the file: the log must not be cut
// short before a transaction, and the file and its log must still be those that were opened after a commit, before its success is
// reported (decision: truncated logs). The mark of the log exists while they are open.

import { type AudienceStore, type DeliveryStore, createStoreError } from "@postrider/core";
import {
  createSqliteAudienceStore,
  createSqliteStore,
  type SqliteDatabase,
  type SqliteStoreOptions,
  writeToLog,
} from "../index.js";
import { type HeldMark, holdMark, markBroken } from "./mark-wal.js";
import { openDatabase } from "./open-database.js";
import { sizeOfFile, placeOfFile } from "./file-system.js";

export type FileOptions = Pick<SqliteStoreOptions, "maxMessageIds">;

interface FileStores {
  /** To be closed last, since its `close` removes the mark of the log, and then the log. */
  readonly deliveries: DeliveryStore;
  readonly audiences: AudienceStore;
}

/**
 * Opens the stores of a file. Creates the file if it does not exist. To be called after `requireWal`. If this function
 * throws an `OpenError` or a `StoreError`, nothing is left open.
 */
export function openFile(file: string, options: FileOptions = {}): FileStores {
  const opened: SqliteDatabase[] = [];
  const fileWatch = createFileWatch(file, (reason) => markBroken(file, reason));
  const connect = (): SqliteDatabase => {
    const database = openDatabase(file);
    opened.push(database);
    return fileWatch.watch(database);
  };
  try {
    let isShared = false;
    const keepsLog = (): boolean => isShared;
    const deliveriesDatabase = connect();
    const deliveries = createSqliteStore({ ...options, database: deliveriesDatabase, keepsLog });
    const audiences = createSqliteAudienceStore({ database: connect(), isChecked: true, keepsLog: () => true });
    const mark = markFile(file, deliveriesDatabase);
    // The process that closes last removes the mark before the log is emptied: after a crash in between, a mark without
    // a log, or with an empty one, would look like a lost log. The mark of a broken log stays: the next start refuses.
    const giveUpMark = (): void => {
      if (fileWatch.isBroken()) mark.leave();
      else ({ isShared } = mark.release());
    };
    const close = once(() => closeAfter(giveUpMark, deliveries));
    return { deliveries: { ...deliveries, close }, audiences };
  } catch (error) {
    for (const database of opened) database.close();
    throw error;
  }
}

/** Makes the mark once the log is not empty. Other stores that were being closed may have emptied the log in between. */
function markFile(file: string, database: SqliteDatabase): HeldMark {
  requireLog(file, database);
  const mark = holdMark(file);
  try {
    requireLog(file, database);
    return mark;
  } catch (error) {
    mark.release();
    throw error;
  }
}

function requireLog(file: string, database: SqliteDatabase): void {
  if (sizeOfFile(`${file}-wal`) === 0) writeToLog(database);
}

async function closeAfter(work: () => void, store: DeliveryStore): Promise<void> {
  try {
    work();
  } finally {
    await store.close();
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

/**
 * Watches one file for all connections of a thread. Once one connection finds the file or its log broken, none of these
 * connections changes the file any more. Commits to a file that was moved, replaced or removed would not be found at
 * the next start, and a log that another program has truncated has lost commits.
 */
interface FileWatch {
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
function createFileWatch(file: string, onLoss: (reason: string) => void): FileWatch {
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
