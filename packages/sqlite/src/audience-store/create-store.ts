// An audience store over an open SQLite database. It has a separate connection, but may share its file with a delivery store. Each call
// is one transaction, so other connections wait for the write lock no longer than one append takes.

import type { AudienceStore } from "@postrider/core";
import { createConnection } from "../file/connection.js";
import type { SqliteDatabase } from "../file/database.js";
import { prepareDatabase, STORE_SCHEMA, prepareStatements } from "../file/open.js";
import { createSqliteRecords, prepareRecords, type RecordStatements } from "../record-store.js";
import { prepareAppend, prepareDrop, prepareErase } from "./commit.js";
import { prepareFindPage, prepareRead, prepareSets } from "./reads.js";
import { packPages } from "./page.js";
import { type FillLength, prepareFillLength } from "../rows/filled-text.js";

/** The options of `createSqliteAudienceStore`. */
export interface SqliteAudienceStoreOptions {
  /** An open connection, which belongs to the store from now on: `close` closes it. */
  readonly database: SqliteDatabase;
  /** True if another store was just opened on the same file. The file was checked then, and is not checked again. */
  readonly isChecked?: boolean;
  /**
   * Asked by `close`: true if another store on the same file is closed later. The log then stays as it is; otherwise
   * `close` moves the log into the file.
   */
  readonly keepsLog?: () => boolean;
}

/**
 * The size of the cache of file pages, in KiB. A small cache is enough, since sets are written once and read once, in
 * order.
 */
const CACHE_KB = 4_000;

/**
 * Pages in the log after which a checkpoint is made: 4 MB. So the connection that accepts calls rarely has to make a
 * checkpoint.
 */
const CHECKPOINT_PAGES = 1_000;

/** Opens an audience store on a database. Prepares the file and throws errors as `createSqliteStore` does. */
export function createSqliteAudienceStore({
  database,
  isChecked,
  keepsLog,
}: SqliteAudienceStoreOptions): AudienceStore {
  prepareDatabase(database, STORE_SCHEMA, isChecked);
  database.exec(`pragma cache_size = ${String(-CACHE_KB)}`);
  database.exec(`pragma wal_autocheckpoint = ${String(CHECKPOINT_PAGES)}`);
  const statements = prepareStatements(() => prepareAll(database));
  const connection = createConnection(database, { keepsLog });

  return {
    records: createSqliteRecords(statements.records, connection),
    append: (set, members) => {
      // The members are packed before the write lock is taken, since packing takes longer than writing.
      const pages = packPages(set, members, statements.filling);
      return connection.write(() => statements.append(set, pages));
    },
    read: (set, after) => connection.read(() => statements.read(set, after)),
    sets: (prefix) => connection.read(() => statements.sets(prefix)),
    drop: (set) => connection.write(() => statements.drop(set)),
    erase: (set, userIds) => connection.write(() => statements.erase(set, userIds)),
    scrub: () => connection.emptyLog(),
    close: () => connection.close(),
  };
}

interface Statements {
  readonly filling: FillLength;
  readonly records: RecordStatements;
  readonly append: ReturnType<typeof prepareAppend>;
  readonly read: ReturnType<typeof prepareRead>;
  readonly sets: ReturnType<typeof prepareSets>;
  readonly drop: ReturnType<typeof prepareDrop>;
  readonly erase: ReturnType<typeof prepareErase>;
}

function prepareAll(database: SqliteDatabase): Statements {
  const filling = prepareFillLength(database);
  const pages = prepareFindPage(database);
  return {
    filling,
    records: prepareRecords(database, filling),
    append: prepareAppend(database),
    read: prepareRead(pages),
    sets: prepareSets(database),
    drop: prepareDrop(database),
    erase: prepareErase(database, { pages, filling }),
  };
}
