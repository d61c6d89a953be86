// The records of audiences, each as JSON with a sum of its own: they name the sets that decide who is told what.

import type { AudienceRecord } from "@postrider/core";
import { textsSum } from "../checksum.js";
import type { SqliteDatabase } from "../database.js";
import { storeError } from "../name-error.js";
import { readNumber, readPlainText, readRow, readRows, readText, type Row } from "../read-row.js";
import { toText } from "../text.js";

export interface Records {
  create(record: AudienceRecord): boolean;
  find(key: string): AudienceRecord | undefined;
  list(): readonly AudienceRecord[];
  replace(record: AudienceRecord): boolean;
}

export function prepareRecords(database: SqliteDatabase): Records {
  const insert = database.prepare(
    "insert into audience (key, revision, record, checksum) values (?, ?, ?, ?) on conflict do nothing",
  );
  const select = database.prepare("select key, record, checksum from audience where key = ?");
  const selectAll = database.prepare("select key, record, checksum from audience");
  const update = database.prepare(
    "update audience set revision = ?, record = ?, checksum = ? where key = ? and revision = ?",
  );

  return {
    create: (record) => {
      const { key, revision } = record;
      const text = JSON.stringify(record);
      return Number(insert.run(toText(key), revision, text, textsSum([key, text])).changes) === 1;
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
      return Number(update.run(revision, text, textsSum([key, text]), toText(key), revision - 1).changes) === 1;
    },
  };
}

function readRecord(row: Row): AudienceRecord {
  const text = readPlainText(row, "record");
  if (readNumber(row, "checksum") !== textsSum([readText(row, "key"), text]))
    throw storeError("corrupt", "SQLite: an audience is not what was stored");
  return JSON.parse(text) as AudienceRecord;
}
