// Keeps the write-ahead log (WAL) of a file from being removed when the thread of its stores ends without closing them. When
// the last connection to a file ends, SQLite moves the log into the file and deletes it, and the end of a thread ends all of
// its connections. So this thread has a connection too: the end of the other thread then has the same effect as a crash.

import { openDatabase } from "./open-database.js";
import { sizeOfFile } from "./size-of-file.js";

export interface WalPin {
  /** To be called once the stores are open: a new file has no log before that. */
  renew(): void;
  /** To be called once the thread has ended. Closes the connection if the log is empty; otherwise does nothing. */
  release(): void;
}

/** Creates the file if it does not exist. Throws an `OpenError` if it cannot be opened at all. */
export function pinWal(file: string): WalPin {
  const database = openDatabase(file);
  let isHeld = true;
  // A connection holds the log open only after its first read.
  const pin = (): void => void database.exec("pragma schema_version");
  try {
    pin();
  } catch {
    // The file cannot be read, so no log has to be kept. The error comes from the store, which reads it next.
  }
  return {
    renew: pin,
    release: () => {
      // A remaining log may be broken, or in use by another process: closing this connection could move it into the file.
      if (!isHeld || sizeOfFile(`${file}-wal`) > 0) return;
      isHeld = false;
      database.close();
    },
  };
}
