// Opens the two stores of a file, deliveries and audiences, each on a separate connection, with the mark of the log. Watches the file: at
// the start of a transaction, the log must not have been cut short; after a commit, before its success is reported, the file and its log
// must still be the ones that were opened (decision: truncated logs).

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
import { sizeOfFile, identityOfFile } from "./file-system.js";

export type FileOptions = Pick<SqliteStoreOptions, "maxMessageIds">;

interface FileStores {
  /** To be closed last, since its `close` removes the mark of the log, and then the log. */
  readonly deliveries: DeliveryStore;
  readonly audiences: AudienceStore;
}

/**
 * Opens the stores of a file. Creates the file if it does not exist. To be called after `requireIntactWal`. If this function
 * throws an `OpenError` or a `StoreError`, nothing is left open.
 */
export function openFile(file: string, options: FileOptions = {}): FileStores {
  const databases: SqliteDatabase[] = [];
  const fileWatch = createFileWatch(file, (reason) => markBroken(file, reason));
  const connect = (): SqliteDatabase => {
    const database = openDatabase(file);
    databases.push(database);
    return fileWatch.watch(database);
  };
  try {
    let isLogOfOthers = false;
    const deliveriesDatabase = connect();
    const deliveries = createSqliteStore({ ...options, database: deliveriesDatabase, keepsLog: () => isLogOfOthers });
    // The log stays: deliveries are closed later.
    const audiences = createSqliteAudienceStore({ database: connect(), isChecked: true, keepsLog: () => true });
    const mark = markFile(file, deliveriesDatabase);
    // The process that closes last removes the mark before the log is emptied: after a crash in between, a mark without
    // a log, or with an empty one, would look like a lost log. The mark of a broken log stays: the next start refuses.
    const giveUpMark = (): void => {
      if (fileWatch.isBroken()) {
        mark.leave();
        return;
      }
      const { isShared } = mark.release();
      isLogOfOthers = isShared;
    };
    const close = once(() => closeAfter(giveUpMark, deliveries));
    return { deliveries: { ...deliveries, close }, audiences };
  } catch (error) {
    for (const database of databases) database.close();
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
  let promise: Promise<void> | undefined;
  return () => (promise ??= work());
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
  /** True if a watched database has thrown `corrupt` for one of these reasons. */
  isBroken(): boolean;
}

/**
 * Creates the watch of a file. `onLoss` is called, with a reason for the operator, if commits are lost and the next
 * start could not detect that loss by itself.
 */
function createFileWatch(file: string, onLoss: (reason: string) => void): FileWatch {
  /** The identity of each path at its first look. */
  const identities = new Map<string, string>();
  const log = `${file}-wal`;
  let logBytes = 0;
  let reason: string | undefined;

  function requireInPlace(path: string): void {
    const identity = identityOfFile(path);
    const firstIdentity = identities.get(path) ?? identity;
    if (firstIdentity !== undefined) identities.set(path, firstIdentity);
    if (identity !== undefined && identity === firstIdentity) return;
    refuse(`${path} has been moved, replaced or removed while it was open`, { isSeenAtStart: identity === undefined });
  }

  /**
   * Throws if another program has cut the log short. A shorter log alone does not show that, since any process that
   * uses the file may restart the log: SQLite knows the length that the log must have.
   */
  function requireWhole(database: SqliteDatabase): void {
    if (identities.has(log)) requireInPlace(log);
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
 * The number of times that the length is read before the log counts as cut short: another process may restart the log
 * between two reads.
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
