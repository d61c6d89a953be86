// Moves the members and records of a file of version 8 or earlier to rows that fill their pages. Contents and checksums
// stay as they are, so that a page or record that a broken disk has changed is found when it is read. Only an old checksum
// of a record is replaced, if it is right. The old tables are overwritten as they are dropped.

import { prepareAddMemberPage } from "../audience-store/append.js";
import { filledText } from "../audience-store/filled-text.js";
import { prepareFillLength } from "../audience-store/full-pages.js";
import { hasOldSum, recordSum, type StoredRecord } from "../audience-store/record-sum.js";
import type { SqliteDatabase } from "../file/database.js";
import { readMaybeBytes, readNumber, readPlainText, readRow, readRows, type Row } from "../rows/read-row.js";
import { fromText } from "../rows/text.js";

export function fillPages(database: SqliteDatabase): void {
  const filling = prepareFillLength(database);
  moveRecords(database, (text) => filledText(text, (length) => filling([length])));
  movePages(database, (text, key) => filledText(text, (length) => filling([key.length, length])));
  database.exec("drop table audience_before; drop table member_page_before");
}

function moveRecords(database: SqliteDatabase, fill: (text: string) => Uint8Array): void {
  const add = database.prepare("insert into audience_record (bytes) values (?)");
  const name = database.prepare(
    "insert into audience (key, revision, record, checksum) select key, revision, ?, ? from audience_before where key = ?",
  );
  for (const row of readRows(database.prepare("select key, record, checksum from audience_before").all())) {
    const [key, text] = [readPlainText(row, "key"), readPlainText(row, "record")];
    const id = Number(add.run(fill(text)).lastInsertRowid);
    name.run(id, currentSum({ key, text, checksum: readNumber(row, "checksum") }), key);
  }
}

/** A checksum that is wrong stays as it is: the record is refused when it is read. */
function currentSum(record: StoredRecord): number {
  return hasOldSum(record) ? recordSum(fromText(record.key), record.text) : record.checksum;
}

const NEXT = `
  select member_set, last_id, checksum, traits, user_ids from member_page_before
  where (member_set, last_id) > (?, ?) order by member_set, last_id limit 1`;

/** One page per step: an audience may be larger than memory. */
function movePages(database: SqliteDatabase, fill: (text: string, key: Uint8Array) => Uint8Array): void {
  const next = database.prepare(NEXT);
  const add = prepareAddMemberPage(database);
  let [set, place] = [0, 0];
  let lastKey = new Uint8Array(0);
  for (let row = readRow(next.get(set, lastKey)); row !== undefined; row = readRow(next.get(set, lastKey))) {
    const inSet = readNumber(row, "member_set");
    place = inSet === set ? place + 1 : 1;
    set = inSet;
    lastKey = new Uint8Array(readMaybeBytes(row, "last_id") ?? lastKey);
    add({ set, place }, { lastKey, bytes: fill(textsOf(row), lastKey), checksum: readNumber(row, "checksum") });
  }
}

function textsOf(row: Row): string {
  const traits = row["traits"] === null ? "" : readPlainText(row, "traits");
  return `${readPlainText(row, "user_ids")}\n${traits}`;
}
