// Changes sets of members: adds pages to the end of a set, removes a set a few pages per call, so that no other connection waits long,
// and erases users: each page that holds some of them is rewritten in place, or removed if no member is left.

import { createStoreError, type Member } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { readNumber, readSingleRow, readRow, toText, readRows, readMaybeNumber } from "../rows/rows.js";
import type { FillLength } from "../rows/filled-text.js";
import { type Page, packPage, sortKey, unpackPage } from "./page.js";
import type { FindPage, FoundPage } from "./reads.js";

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

/** The pages that one call removes: about half a megabyte. */
const PAGES_OF_A_DROP = 16;

/**
 * Selects the last pages of a set. They are removed first, so that the rest of the set can still be read. Exported for
 * the test of its query plan.
 */
export const SELECT_LAST_PAGES: string = `
  select place, page from member_place where member_set = ? order by place desc limit ${String(PAGES_OF_A_DROP)}`;

export function prepareDrop(database: SqliteDatabase): (set: string) => boolean {
  const idOf = database.prepare("select id from member_set where name = ?");
  const lastPages = database.prepare(SELECT_LAST_PAGES);
  const removePage = database.prepare("delete from member_page where id = ?");
  const removePlace = database.prepare("delete from member_place where member_set = ? and place = ?");
  const forget = database.prepare("delete from member_set where id = ?");

  return (set) => {
    const row = readRow(idOf.get(toText(set)));
    if (row === undefined) return true;
    const id = readNumber(row, "id");
    const last = readRows(lastPages.all(id));
    for (const page of last) {
      removePage.run(readNumber(page, "page"));
      removePlace.run(id, readNumber(page, "place"));
    }
    if (last.length === PAGES_OF_A_DROP) return false;
    forget.run(id);
    return true;
  };
}

interface ErasingPages {
  readonly pages: FindPage;
  readonly filling: FillLength;
}

export function prepareErase(
  database: SqliteDatabase,
  { pages, filling }: ErasingPages,
): (set: string, userIds: readonly string[]) => number {
  const rewrite = database.prepare("update member_page set last_id = ?, bytes = ? where id = ?");
  const sumUp = database.prepare("update member_place set checksum = ? where member_set = ? and place = ?");
  const removePage = database.prepare("delete from member_page where id = ?");
  const removePlace = database.prepare("delete from member_place where member_set = ? and place = ?");
  const left = database.prepare("select max(place) as last from member_place where member_set = ?");
  const forget = database.prepare("delete from member_set where id = ?");

  function put(set: string, { id, place, page }: FoundPage, members: readonly Member[]): void {
    if (members.length > 0) {
      const { lastKey, bytes, checksum } = packPage(set, members, filling);
      rewrite.run(lastKey, bytes, page);
      sumUp.run(checksum, id, place);
      return;
    }
    removePage.run(page);
    removePlace.run(id, place);
    const last = readRow(left.get(id));
    if (last === undefined || readMaybeNumber(last, "last") === undefined) forget.run(id);
  }

  return (set, userIds) => {
    const named = new Set(userIds);
    let erased = 0;
    let lookedUpTo: string | undefined;
    // In order, so that each page is read once for all users that it may hold.
    for (const userId of [...named].sort()) {
      if (lookedUpTo !== undefined && userId <= lookedUpTo) continue;
      const found = pages.from(set, sortKey(userId));
      if (found === undefined) break;
      const members = unpackPage(set, found.row);
      const staying = members.filter((member) => !named.has(member.userId));
      lookedUpTo = members.at(-1)?.userId ?? userId;
      if (staying.length === members.length) continue;
      put(set, found, staying);
      erased += members.length - staying.length;
    }
    return erased;
  };
}
