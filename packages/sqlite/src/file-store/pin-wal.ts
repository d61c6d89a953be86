// Keeps the write-ahead log (WAL) of a file when the thread of its stores ends without closing them. The end of a thread ends
// its connections, and at the end of the last connection to a file, SQLite moves the log into the file and deletes the log.
// So the thread of the host has a connection too: the end of the store thread then has the same effect as a crash.

import type { SqliteDatabase } from "../index.js";
import { openDatabase } from "./open-database.js";
import { identityOfFile, sizeOfFile } from "./file-system.js";

/** A connection that holds the log of a file. */
export interface WalPin {
  /** Holds the log open. To be called once the stores are open, since a new file has no log before that. */
  renew(): void;
  /**
   * To be called once the store thread has ended; later calls do nothing. If the log is empty or absent, closes the connection and
   * those that were kept before; otherwise keeps it for the next pin of the file.
   */
  release(): void;
}

interface PinConnection {
  readonly database: SqliteDatabase;
  readonly file: string;
  readonly identity: string | undefined;
  /** False once it is released. */
  isUsed: boolean;
}

/**
 * All connections that hold a log. They are referenced here, since a driver closes a connection that is garbage. One that
 * had to stay open is used by the next pin of its file, so that there are never more than stores were open at the same time.
 */
const connections = new Set<PinConnection>();

/**
 * Opens the connection that holds the log. Creates the file if it does not exist. Throws an `OpenError` if the file
 * cannot be opened.
 */
export function pinWal(file: string): WalPin {
  const connection = unusedOf(file)[0] ?? connect(file);
  connection.isUsed = true;
  let isHeld = true;
  // A connection holds the log open only after its first read.
  const pin = (): void => void connection.database.exec("pragma schema_version");
  try {
    pin();
  } catch {
    // The file cannot be read, so no log has to be held. The store reads the file next, and reports the error.
  }
  return {
    renew: pin,
    release: () => {
      if (!isHeld) return;
      isHeld = false;
      connection.isUsed = false;
      // A remaining log may be broken, or in use by another process: closing a connection could move that log into the
      // file.
      if (sizeOfFile(`${file}-wal`) === 0) unusedOf(file).forEach(disconnect);
    },
  };
}

function connect(file: string): PinConnection {
  const database = openDatabase(file);
  const connection = { database, file, identity: identityOfFile(file), isUsed: true };
  connections.add(connection);
  return connection;
}

function disconnect(connection: PinConnection): void {
  connections.delete(connection);
  connection.database.close();
}

/** The released connections to the file that is at this path now. */
function unusedOf(file: string): readonly PinConnection[] {
  const identity = identityOfFile(file);
  return [...connections].filter(
    (connection) => !connection.isUsed && connection.file === file && connection.identity === identity,
  );
}
