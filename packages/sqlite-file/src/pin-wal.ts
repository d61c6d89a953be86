// Keeps the log of a file from going with the thread of its store. When its last connection ends, SQLite moves the log into
// the file and deletes it; and a thread ends all of its connections, however it comes to end. But what a crash leaves is a
// file with its log, and what cannot be opened stays as it is. So this thread has a connection too, and asks nothing on it.

import { statSync } from "node:fs";
import { openDatabase } from "./open-database.js";

export interface HeldLog {
  /** To be called again once the file is open: a new one has a log only then. */
  hold(): void;
  /** To be called once the thread has ended. */
  release(): void;
}

/** Makes a file that is not there yet. Throws an `Error` in words where it cannot be opened at all. */
export function holdLog(file: string): HeldLog {
  const database = openDatabase(file);
  // Whoever has read something holds the log until the connection ends.
  const hold = (): void => void database.exec("pragma schema_version");
  try {
    hold();
  } catch {
    // Then there is nothing to hold. What is wrong with the file, the store will say.
  }
  return {
    hold,
    release: () => {
      // A log that a store has left behind is in doubt, or another process uses it: it is not to be merged from here.
      if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0) database.close();
    },
  };
}
