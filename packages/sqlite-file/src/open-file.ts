// Opens the two stores of a file, deliveries and audiences, each on a separate, watched connection. The mark of the log
// exists while they are open. It does not know in which thread it runs.

import type { AudienceStore, DeliveryStore } from "@postrider/core";
import {
  createSqliteAudienceStore,
  createSqliteStore,
  type SqliteDatabase,
  type SqliteStoreOptions,
  writeToLog,
} from "@postrider/sqlite";
import { type HeldMark, holdMark } from "./hold-mark.js";
import { markBroken } from "./mark-wal.js";
import { openDatabase } from "./open-database.js";
import { sizeOfFile } from "./size-of-file.js";
import { createFileWatch } from "./watch-database.js";

export type FileOptions = Pick<SqliteStoreOptions, "maxMessageIds">;

export interface FileStores {
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
