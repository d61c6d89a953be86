// Adds pages to the end of a set.

import type { SqliteDatabase } from "../database.js";
import { storeError } from "../name-error.js";
import { readNumber, readOnly, readRow } from "../read-row.js";
import { toText } from "../text.js";
import type { Page } from "./page.js";
import { sortKey } from "./sort-key.js";

/** Exported for the test that looks at its plan. */
export const NOT_BEYOND = "select 1 from member_page where member_set = ? and last_id >= ? limit 1";

export function prepareAppend(database: SqliteDatabase): (set: string, pages: readonly Page[]) => void {
  const begin = database.prepare("insert into member_set (name) values (?) on conflict do nothing");
  const idOf = database.prepare("select id from member_set where name = ?");
  const notBeyond = database.prepare(NOT_BEYOND);
  const insert = database.prepare(
    "insert into member_page (member_set, last_id, checksum, traits, user_ids) values (?, ?, ?, ?, ?)",
  );

  return (set, pages) => {
    const [first] = pages;
    if (first === undefined) return;
    begin.run(toText(set));
    const id = readNumber(readOnly(idOf.get(toText(set))), "id");
    if (readRow(notBeyond.get(id, sortKey(first.firstId))) !== undefined)
      throw storeError("unavailable", `SQLite: ${set} holds members beyond those that were to be added to its end`);
    for (const { lastId, checksum, traits, userIds } of pages)
      insert.run(id, sortKey(lastId), checksum, traits, userIds);
  };
}
