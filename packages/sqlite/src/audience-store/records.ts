// The records of audiences, as JSON. They have checksums, since they decide which receiver is told about which user; a checksum covers
// the key, so that a record in the row of another audience is found.
// The position of a sync in a record is a user id, so each record fills its file pages, as each page of members does.

import { type AudienceRecord, createStoreError } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { textsSum } from "../rows/checksum.js";
import { readMaybeBytes, readNumber, readRow, readRows, readText, type Row, toText } from "../rows/columns.js";
import { filledText, textOf, type FillLength } from "./page.js";

export interface Records {
  create(record: AudienceRecord): boolean;
  find(key: string): AudienceRecord | undefined;
  list(): readonly AudienceRecord[];
  replace(record: AudienceRecord): boolean;
}

const SELECT = "select a.key, a.checksum, r.bytes from audience a join audience_record r on r.id = a.record";

export function prepareRecords(database: SqliteDatabase, filling: FillLength): Records {
  const taken = database.prepare("select 1 as found from audience where key = ?");
  const insertText = database.prepare("insert into audience_record (bytes) values (?)");
  const insert = database.prepare("insert into audience (key, revision, record, checksum) values (?, ?, ?, ?)");
  const select = database.prepare(`${SELECT} where a.key = ?`);
  const selectAll = database.prepare(SELECT);
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
