// The program of the thread that makes a backup: copies a store on a read-only connection, then checks the copy and syncs it.
// On a read-only connection, SQLite never moves a log into its file, so that neither the file of a running server nor a log
// that a crash has left is changed (decision: backups).

import { checkStoreCopy, prepareStoreCopy, type SqliteDatabase } from "../index.js";
import { closeSync, fsyncSync, openSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { loadDriver } from "./load-driver.js";
import { codeOf } from "./open-error.js";

export interface BackupThreadData {
  /** The absolute path of the store's file. */
  readonly file: string;
  /** The absolute path of the copy, an empty file. */
  readonly copy: string;
}

/** The reports of the thread, in this order; `failed` may take the place of any. */
export type BackupMessage =
  | { readonly kind: "copying"; readonly bytes: number }
  | { readonly kind: "checking" }
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly code: string; readonly message: string };

if (parentPort !== null) {
  const tell = (message: BackupMessage): void => parentPort?.postMessage(message);
  // Node warns that its built-in SQLite is new; the stores report that.
  process.removeAllListeners("warning");
  try {
    backUp(workerData as BackupThreadData, tell);
  } catch (error) {
    tell({ kind: "failed", code: codeOf(error), message: error instanceof Error ? error.message : String(error) });
  }
}

function backUp({ file, copy }: BackupThreadData, tell: (message: BackupMessage) => void): void {
  withReader(file, (database) => {
    const storeCopy = prepareStoreCopy(database, copy);
    tell({ kind: "copying", bytes: storeCopy.bytes });
    storeCopy.write();
  });
  tell({ kind: "checking" });
  withReader(copy, checkStoreCopy);
  sync(copy);
  tell({ kind: "done" });
}

function withReader(file: string, work: (database: SqliteDatabase) => void): void {
  const { DatabaseSync } = loadDriver();
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    work(database);
  } finally {
    database.close();
  }
}

function sync(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
