// Stores the calls of a client in an open SQLite database, whose file has no other contents (decision: durable client). A call has a
// checksum, since a damaged call could be sent with a wrong name or amount. The number of calls is stored in the file, so the bound
// holds for all processes that share the file.

import {
  type CallStorage,
  type CallChange,
  createStoreError,
  type KeptCall,
  CALL_KINDS,
  type CallKind,
  type KeptCallPage,
  type KeptCallPageRequest,
} from "@postrider/core";
import { MAX_KEPT_CALLS } from "@postrider/core/engine";
import { createConnection } from "../file/connection.js";
import type { SqliteDatabase } from "../file/database.js";
import { prepareDatabase, prepareStatements } from "../file/open.js";
import { textsSum, readNumber, readSingleRow, toText, readRows, readText, type Row } from "../rows/rows.js";

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

/**
 * Returns a function that changes the stored calls, and returns their number. It must run in a transaction, since it throws `full`
 * only after it has written.
 */
function prepareChange(database: SqliteDatabase, maxCalls: number): (change: CallChange) => number {
  const remove = database.prepare("delete from call where message_id = ?");
  const update = database.prepare("update call set type = ?, json = ?, checksum = ? where message_id = ?");
  const insert = database.prepare("insert into call (type, json, checksum, message_id) values (?, ?, ?, ?)");
  const addToTotal = database.prepare("update call_total set n = n + ? returning n");

  /** Returns 1 if the call is new, and 0 if its message id was stored already. */
  function keep({ messageId, type, json }: KeptCall): number {
    const values = [type, toText(json), textsSum([messageId, type, json]), toText(messageId)] as const;
    if (Number(update.run(...values).changes) > 0) return 0;
    insert.run(...values);
    return 1;
  }

  return (change) => {
    let growth = 0;
    for (const messageId of change.drop) growth -= Number(remove.run(toText(messageId)).changes);
    for (const call of change.keep) growth += keep(call);
    const total = readNumber(readSingleRow(addToTotal.get(growth)), "n");
    if (growth > 0 && total > maxCalls) throw createStoreError("full", `${String(maxCalls)} calls are kept already`);
    return total;
  };
}

function prepareLoad(database: SqliteDatabase): (request: KeptCallPageRequest) => KeptCallPage {
  const select = database.prepare(`
    select message_id, type, json, checksum from call
    where id >= coalesce((select id from call where message_id = ?), 0) order by id limit ?`);
  const total = database.prepare("select n from call_total");
  return ({ from = "", limit }) => {
    const rows = readRows(select.all(toText(from), limit + 1));
    const nextRow = rows[limit];
    return {
      calls: rows.slice(0, limit).map(readCall),
      next: nextRow && readText(nextRow, "message_id"),
      stored: readNumber(readSingleRow(total.get()), "n"),
    };
  };
}

function readCall(row: Row): KeptCall {
  const messageId = readText(row, "message_id");
  const json = readText(row, "json");
  const type = readText(row, "type");
  if (!isCallKind(type) || textsSum([messageId, type, json]) !== readNumber(row, "checksum")) {
    throw createStoreError("corrupt", "SQLite: a kept call is not what was written");
  }
  return { messageId, type, json };
}

function isCallKind(type: string): type is CallKind {
  return CALL_KINDS.some((kind) => kind === type);
}

/** The application id of a file with calls: "PCal" in ASCII. */
const CALLS_ID = 0x5043616c;

/**
 * `id` is the order in which calls were first stored. `checksum` covers all columns that are handed out; see
 * `rows/rows.ts`.
 */
const TABLES = `
  create table call (
    id integer primary key,
    message_id text not null unique,
    type text not null,
    json text not null,
    checksum integer not null
  ) strict;

  create table call_total (n integer not null) strict;
  insert into call_total values (0);

  pragma application_id = ${String(CALLS_ID)};
`;

const CALLS_STEPS: readonly string[] = [TABLES];
