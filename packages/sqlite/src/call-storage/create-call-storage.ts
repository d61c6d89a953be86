// Stores the calls of a client in an open SQLite database, whose file has no other contents (decision: durable client).
// After an error with `corrupt`, all methods but `close` reject: see `connection.ts`.

import type { CallStorage } from "@postrider/core";
import { MAX_KEPT_CALLS } from "@postrider/core/engine";
import { createConnection } from "../file/connection.js";
import type { SqliteDatabase } from "../file/database.js";
import { prepareDatabase } from "../file/open.js";
import { prepareStatements } from "../file/prepare-statements.js";
import { prepareChange } from "./change.js";
import { prepareLoad } from "./load.js";
import { CALLS_ID, CALLS_STEPS } from "./schema.js";

/** The options of `createSqliteCallStorage`. */
export interface SqliteCallStorageOptions {
  /** An open connection, which belongs to the storage from now on: `close` closes it. */
  readonly database: SqliteDatabase;
  /** The highest number of calls that are kept; 100,000 if absent. */
  readonly maxCalls?: number;
}

/** A storage for the calls of a durable client, in a SQLite database. */
export interface SqliteCallStorage extends CallStorage {
  /**
   * Closes the database. To be called after the client was closed. All other methods reject with `unavailable` from then on.
   */
  close(): Promise<void>;
}

/**
 * Opens a storage for the calls of a client: sets the pragmas that durability needs, and brings the schema up to date.
 * Throws a `StoreError` if SQLite is older than 3.51.3, or if the file is of a newer version, belongs to a store or
 * another program, or cannot be used.
 */
export function createSqliteCallStorage(options: SqliteCallStorageOptions): SqliteCallStorage {
  const { database, maxCalls = MAX_KEPT_CALLS } = options;
  prepareDatabase(database, { applicationId: CALLS_ID, steps: CALLS_STEPS });
  const statements = prepareStatements(() => ({
    load: prepareLoad(database),
    change: prepareChange(database, maxCalls),
  }));
  const connection = createConnection(database);
  return {
    maxCalls,
    load: (request) => connection.read(() => statements.load(request)),
    change: (change) => connection.write(() => statements.change(change)),
    close: () => connection.close(),
  };
}
