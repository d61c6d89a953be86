// Adds pages to the end of a set.

import { createStoreError } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { readNumber, readSingleRow, readRow, toText } from "../rows/columns.js";
import type { Page } from "./page.js";
import { sortKey } from "./sort-key.js";

/** Selects the last page of a set, and whether it reaches a key. Exported for the test of its query plan. */
export const SELECT_LAST_MEMBER_PAGE = `
  select p.place, m.last_id >= ? as reaches from member_place p join member_page m on m.id = p.page
  where p.member_set = ? order by p.place desc limit 1`;

export function prepareAppend(database: SqliteDatabase): (set: string, pages: readonly Page[]) => void {
  const begin = database.prepare("insert into member_set (name) values (?) on conflict do nothing");
  const idOf = database.prepare("select id from member_set where name = ?");
  const lastPlace = database.prepare(SELECT_LAST_MEMBER_PAGE);
  const addPage = database.prepare("insert into member_page (last_id, bytes) values (?, ?)");
  const addPlace = database.prepare("insert into member_place (member_set, place, page, checksum) values (?, ?, ?, ?)");

  return (set, pages) => {
    const [first] = pages;
    if (first === undefined) return;
    begin.run(toText(set));
    const id = readNumber(readSingleRow(idOf.get(toText(set))), "id");
    const last = readRow(lastPlace.get(sortKey(first.firstId), id));
    if (last !== undefined && readNumber(last, "reaches") === 1)
      throw createStoreError("unavailable", `SQLite: ${set} holds members that do not come before the added members`);
    const place = last === undefined ? 0 : readNumber(last, "place");
    for (const [index, { lastKey, bytes, checksum }] of pages.entries()) {
      const row = Number(addPage.run(lastKey, bytes).lastInsertRowid);
      addPlace.run(id, place + index + 1, row, checksum);
    }
  };
}
