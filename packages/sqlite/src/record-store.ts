// The small records of a store, of deliveries or of audiences, in one table. The checksum covers the kind and the key too, so that a
// record in the row of another one is detected. Texts have a separate table: a query for a higher revision that finds none reads no text.

import {
  createStoreError,
  type RecordKind,
  type RecordQuery,
  type RecordStore,
  type StoredRecord,
} from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { type FillLength, filledText, textOf } from "./rows/filled-text.js";
import type { StoreConnection } from "./file/connection.js";
import type { SqliteDatabase } from "./file/database.js";
import { readMaybeBytes, readMaybeText, readNumber, readRow, readRows, readText } from "./rows/rows.js";
import { type Row, textsSum, toText, toTextOrNull } from "./rows/rows.js";

export interface RecordStatements {
  put(record: StoredRecord): boolean;
  find(kind: RecordKind, key: string, above: number): StoredRecord | undefined;
  list(query: RecordQuery): readonly StoredRecord[];
  remove(kind: RecordKind, key: string): void;
}

/** Ends each stored text, before the blanks that fill its file page. */
const END = "\n";

const COLUMNS = "r.kind, r.key, r.revision, r.tag, r.checksum, t.bytes";

export const FIND_RECORD: string = `select ${COLUMNS} from record r join record_text t on t.id = r.text
  where r.kind = ? and r.key = ? and r.revision > ?`;

export const LIST_RECORDS: string = `select ${COLUMNS} from record r join record_text t on t.id = r.text
  where r.kind = ? and r.key >= ? order by r.key limit ?`;

export const LIST_TAGGED_RECORDS: string = `select ${COLUMNS} from record r indexed by record_tag join record_text t on t.id = r.text
  where r.kind = ? and r.tag = ? and r.key >= ? order by r.key limit ?`;

/** The stored form of a key with this character appended sorts directly after that key: no stored form has the character. */
const RIGHT_AFTER = "\u0001";

/** `filling`: texts fill their file pages, so that nothing is left of one that was replaced or removed (decision: erasure). */
export function prepareRecords(database: SqliteDatabase, filling?: FillLength): RecordStatements {
  const select = database.prepare(FIND_RECORD);
  const selectAll = database.prepare(LIST_RECORDS);
  const selectTagged = database.prepare(LIST_TAGGED_RECORDS);
  const revisionOf = database.prepare("select revision from record where kind = ? and key = ?");
  const insertText = database.prepare("insert into record_text (bytes) values (?)");
  const insert = database.prepare(
    "insert into record (kind, key, revision, tag, text, checksum) values (?, ?, ?, ?, ?, ?)",
  );
  const update = database.prepare(
    "update record set revision = ?, tag = ?, checksum = ? where kind = ? and key = ? returning text",
  );
  const updateText = database.prepare("update record_text set bytes = ? where id = ?");
  const removeRecord = database.prepare("delete from record where kind = ? and key = ? returning text");
  const removeText = database.prepare("delete from record_text where id = ?");

  function bytesOf(text: string): Uint8Array {
    return filledText(text + END, (length) => filling?.([length]) ?? 0);
  }

  return {
    put: (record) => {
      const { kind, revision, tag, text } = record;
      const key = toText(record.key);
      const row = readRow(revisionOf.get(kind, key));
      if ((row === undefined ? 0 : readNumber(row, "revision")) !== revision - 1) return false;
      const tagText = toTextOrNull(tag);
      const checksum = sumOf(record);
      const updatedRow = row && readRow(update.get(revision, tagText, checksum, kind, key));
      if (updatedRow !== undefined) updateText.run(bytesOf(text), readNumber(updatedRow, "text"));
      else insert.run(kind, key, revision, tagText, insertText.run(bytesOf(text)).lastInsertRowid, checksum);
      return true;
    },
    find: (kind, key, above) => {
      const row = readRow(select.get(kind, toText(key), above));
      return row && readRecord(kind, row);
    },
    list: ({ kind, tag, after, limit }) => {
      const from = after === undefined ? "" : toText(after) + RIGHT_AFTER;
      const rows =
        tag === undefined ? selectAll.all(kind, from, limit) : selectTagged.all(kind, toText(tag), from, limit);
      return readRows(rows).map((row) => readRecord(kind, row));
    },
    remove: (kind, key) => {
      const removedRow = readRow(removeRecord.get(kind, toText(key)));
      if (removedRow !== undefined) removeText.run(readNumber(removedRow, "text"));
    },
  };
}

function sumOf({ kind, key, revision, tag, text }: StoredRecord): number {
  return textsSum([kind, key, String(revision), tag ?? "", text]);
}

function readRecord(kind: RecordKind, row: Row): StoredRecord {
  const record = {
    kind,
    key: readText(row, "key"),
    revision: readNumber(row, "revision"),
    ...defined({ tag: readMaybeText(row, "tag") }),
    text: textOf(readMaybeBytes(row, "bytes")).slice(0, -END.length),
  };
  if (readNumber(row, "checksum") !== sumOf(record))
    throw createStoreError("corrupt", `SQLite: a record of the kind ${kind} is not what was stored`);
  return record;
}

/** `write` runs work in one transaction, and commits it. */
export function createSqliteRecords(
  statements: RecordStatements,
  { read, write }: Pick<StoreConnection, "read" | "write">,
): RecordStore {
  return {
    put: (record) => write(() => statements.put(record)),
    find: (kind, key, above = 0) => read(() => statements.find(kind, key, above)),
    list: (query) => read(() => statements.list(query)),
    remove: (kind, key) =>
      write(() => {
        statements.remove(kind, key);
      }),
  };
}
