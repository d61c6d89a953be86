// Keeps the write-ahead log (WAL) of a file when the thread of its stores ends without closing them. The end of a thread ends
// its connections, and at the end of the last connection to a file, SQLite moves the log into the file and deletes the log.
// So the thread of the host has a connection too: the end of the store thread then has the same effect as a crash.

import { openDatabase } from "./open-database.js";
import { sizeOfFile } from "./size-of-file.js";

/** A connection that holds the log of a file. */
export interface WalPin {
  /** Holds the log open. To be called once the stores are open, since a new file has no log before that. */
  renew(): void;
  /**
   * To be called once the store thread has ended. Closes the connection if the log is empty or absent; otherwise does
   * nothing.
   */
  release(): void;
}

/**
 * Opens the connection that holds the log. Creates the file if it does not exist. Throws an `OpenError` if the file
 * cannot be opened.
 */
export function pinWal(file: string): WalPin {
  const database = openDatabase(file);
  let isHeld = true;
  // A connection holds the log open only after its first read.
  const pin = (): void => void database.exec("pragma schema_version");
  try {
    pin();
  } catch {
    // The file cannot be read, so no log has to be held. The store reads the file next, and reports the error.
  }
  return {
    renew: pin,
    release: () => {
      // A remaining log may be broken, or in use by another process: closing this connection could move that log into
      // the file.
      if (!isHeld || sizeOfFile(`${file}-wal`) > 0) return;
      isHeld = false;
      database.close();
    },
  };
}
