// Opens the two stores of a file, deliveries and audiences, each on a separate, watched connection. The mark of the log
// exists while they are open. It does not know in which thread it runs.

import type { AudienceStore, DeliveryStore } from "@postrider/core";
import {
  createSqliteAudienceStore,
  createSqliteStore,
  type SqliteDatabase,
  type SqliteStoreOptions,
} from "@postrider/sqlite";
import { markBroken, markWal, unmarkWal } from "./mark-wal.js";
import { openDatabase } from "./open-database.js";
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
    const deliveries = createSqliteStore({ ...options, database: connect() });
    const audiences = createSqliteAudienceStore({ database: connect(), isChecked: true, keepsLog: true });
    markWal(file);
    // The mark of a broken log stays, so that the next start refuses the file until an operator has examined it.
    const close = (): Promise<void> => (fileWatch.isBroken() ? deliveries.close() : closeUnmarked(deliveries, file));
    return { deliveries: { ...deliveries, close }, audiences };
  } catch (error) {
    for (const database of opened) database.close();
    throw error;
  }
}

/**
 * Removes the mark, then closes the store. The order matters: closing empties and removes the log, and after a crash a mark
 * without a log, or with an empty one, would look like a lost log.
 */
async function closeUnmarked(store: DeliveryStore, file: string): Promise<void> {
  try {
    unmarkWal(file);
  } finally {
    await store.close();
  }
}
