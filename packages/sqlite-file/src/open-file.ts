// Opens the stores of a server on one file: that of deliveries, and that of audiences beside it on a connection of its
// own. The file stands or falls with its log, and each commit has to go to the file that is there.

import type { AudienceStore, DeliveryStore } from "@postrider/core";
import { createSqliteAudienceStore, createSqliteStore, type SqliteDatabase } from "@postrider/sqlite";
import { markLog, unmarkLog } from "./mark-wal.js";
import { openDatabase } from "./open-database.js";
import { watchDatabase } from "./watch-database.js";

export interface FileStores {
  /** To be closed last: the mark of the log goes with it. */
  readonly deliveries: DeliveryStore;
  readonly audiences: AudienceStore;
}

/** For a file that has its log: see `requireLog`. Makes one that is not there yet. Throws an `Error` in words, and leaves nothing open then. */
export function openFile(file: string): FileStores {
  const opened: SqliteDatabase[] = [];
  let isBroken = false;
  const connect = (): SqliteDatabase => {
    const database = openDatabase(file);
    opened.push(database);
    return watchDatabase(database, { file, onBroken: () => (isBroken = true) });
  };
  try {
    const deliveries = createSqliteStore({ database: connect() });
    const audiences = createSqliteAudienceStore({ database: connect(), isChecked: true });
    markLog(file);
    // The mark of a broken log stays: the next start asks an operator what is to be done.
    const close = (): Promise<void> => (isBroken ? deliveries.close() : closeUnmarked(deliveries, file));
    return { deliveries: { ...deliveries, close }, audiences };
  } catch (error) {
    for (const database of opened) database.close();
    throw error;
  }
}

/** The log goes with the last connection, and the mark has to go before it. */
async function closeUnmarked(store: DeliveryStore, file: string): Promise<void> {
  try {
    unmarkLog(file);
  } finally {
    await store.close();
  }
}
