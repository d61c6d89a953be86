// An audience store over an open SQLite database. It has a separate connection, but may share its file with a delivery store. Each call
// is one transaction, so other connections wait for the write lock no longer than one append takes.

import { type AudienceStore, type AudienceRecord, createStoreError } from "@postrider/core";
import { createConnection } from "../file/connection.js";
import type { SqliteDatabase } from "../file/database.js";
import { prepareDatabase, STORE_SCHEMA, prepareStatements } from "../file/open.js";
import {
  createSqliteRecords,
  prepareRecords as prepareStoredRecords,
  type RecordStatements,
} from "../record-store/records.js";
import { prepareAppend, prepareDrop, prepareErase } from "./commit.js";
import { prepareFindPage, prepareRead, prepareSets } from "./reads.js";
import { type FillLength, prepareFillLength, packPages, filledText, textOf } from "./page.js";
import { textsSum, readMaybeBytes, readNumber, readRow, readRows, readText, type Row, toText } from "../rows/rows.js";

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
    create: (record) => connection.write(() => statements.records.create(record)),
    find: (key) => connection.read(() => statements.records.find(key)),
    list: () => connection.read(() => statements.records.list()),
    replace: (record) => connection.write(() => statements.records.replace(record)),
    records: createSqliteRecords(statements.small, connection),
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
  readonly small: RecordStatements;
  readonly records: ReturnType<typeof prepareRecords>;
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
    small: prepareStoredRecords(database, filling),
    append: prepareAppend(database),
    read: prepareRead(pages),
    sets: prepareSets(database),
    drop: prepareDrop(database),
    erase: prepareErase(database, { pages, filling }),
  };
}

/**
 * The records of audiences, as JSON. They have checksums, since they decide which receiver is told about which user; a
 * checksum covers the key, so that a record in the row of another audience is found. The position of a sync in a record is
 * a user id, so each record fills its file pages, as each page of members does.
 */
interface Records {
  create(record: AudienceRecord): boolean;
  find(key: string): AudienceRecord | undefined;
  list(): readonly AudienceRecord[];
  replace(record: AudienceRecord): boolean;
}

const SELECT_RECORD = "select a.key, a.checksum, r.bytes from audience a join audience_record r on r.id = a.record";

function prepareRecords(database: SqliteDatabase, filling: FillLength): Records {
  const taken = database.prepare("select 1 as found from audience where key = ?");
  const insertText = database.prepare("insert into audience_record (bytes) values (?)");
  const insert = database.prepare("insert into audience (key, revision, record, checksum) values (?, ?, ?, ?)");
  const select = database.prepare(`${SELECT_RECORD} where a.key = ?`);
  const selectAll = database.prepare(SELECT_RECORD);
  const update = database.prepare(
    "update audience set revision = ?, checksum = ? where key = ? and revision = ? returning record",
  );
  const updateText = database.prepare("update audience_record set bytes = ? where id = ?");
  const fill = (text: string): Uint8Array => filledText(text, (length) => filling([length]));

  return {
    create: (record) => {
      const { key, revision } = record;
      if (readRow(taken.get(toText(key))) !== undefined) return false;
      const text = JSON.stringify(record);
      const row = Number(insertText.run(fill(text)).lastInsertRowid);
      insert.run(toText(key), revision, row, textsSum([key, text]));
      return true;
    },
    find: (key) => {
      const row = readRow(select.get(toText(key)));
      return row === undefined ? undefined : readRecord(row);
    },
    list: () =>
      readRows(selectAll.all())
        .map(readRecord)
        .toSorted((one, other) => (one.key < other.key ? -1 : 1)),
    replace: (record) => {
      const { key, revision } = record;
      const text = JSON.stringify(record);
      const replaced = readRow(update.get(revision, textsSum([key, text]), toText(key), revision - 1));
      if (replaced === undefined) return false;
      updateText.run(fill(text), readNumber(replaced, "record"));
      return true;
    },
  };
}

function readRecord(row: Row): AudienceRecord {
  const text = textOf(readMaybeBytes(row, "bytes"));
  if (readNumber(row, "checksum") !== textsSum([readText(row, "key"), text]))
    throw createStoreError("corrupt", "SQLite: an audience is not what was stored");
  return JSON.parse(text) as AudienceRecord;
}
