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
  const addSet = database.prepare("insert into member_set (name) values (?) on conflict do nothing");
  const idOf = database.prepare("select id from member_set where name = ?");
  const selectLastPage = database.prepare(SELECT_LAST_MEMBER_PAGE);
  const addPage = database.prepare("insert into member_page (last_id, bytes) values (?, ?)");
  const addPlace = database.prepare("insert into member_place (member_set, place, page, checksum) values (?, ?, ?, ?)");

  return (set, pages) => {
    const [firstPage] = pages;
    if (firstPage === undefined) return;
    addSet.run(toText(set));
    const id = readNumber(readSingleRow(idOf.get(toText(set))), "id");
    const lastPage = readRow(selectLastPage.get(sortKey(firstPage.firstId), id));
    if (lastPage !== undefined && readNumber(lastPage, "reaches") === 1)
      throw createStoreError("unavailable", `SQLite: ${set} holds members that do not come before the added members`);
    const place = lastPage === undefined ? 0 : readNumber(lastPage, "place");
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
  const selectLastPages = database.prepare(SELECT_LAST_PAGES);
  const removePage = database.prepare("delete from member_page where id = ?");
  const removePlace = database.prepare("delete from member_place where member_set = ? and place = ?");
  const removeSet = database.prepare("delete from member_set where id = ?");

  return (set) => {
    const row = readRow(idOf.get(toText(set)));
    if (row === undefined) return true;
    const id = readNumber(row, "id");
    const lastPages = readRows(selectLastPages.all(id));
    for (const page of lastPages) {
      removePage.run(readNumber(page, "page"));
      removePlace.run(id, readNumber(page, "place"));
    }
    if (lastPages.length === PAGES_OF_A_DROP) return false;
    removeSet.run(id);
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
  const updateChecksum = database.prepare("update member_place set checksum = ? where member_set = ? and place = ?");
  const removePage = database.prepare("delete from member_page where id = ?");
  const removePlace = database.prepare("delete from member_place where member_set = ? and place = ?");
  const selectLastPlace = database.prepare("select max(place) as last from member_place where member_set = ?");
  const removeSet = database.prepare("delete from member_set where id = ?");

  function replacePage(set: string, { id, place, page }: FoundPage, members: readonly Member[]): void {
    if (members.length > 0) {
      const { lastKey, bytes, checksum } = packPage(set, members, filling);
      rewrite.run(lastKey, bytes, page);
      updateChecksum.run(checksum, id, place);
      return;
    }
    removePage.run(page);
    removePlace.run(id, place);
    const lastPlace = readRow(selectLastPlace.get(id));
    if (lastPlace === undefined || readMaybeNumber(lastPlace, "last") === undefined) removeSet.run(id);
  }

  return (set, userIds) => {
    const namedIds = new Set(userIds);
    let erased = 0;
    let pageEnd: string | undefined;
    // In order, so that each page is read once for all users that it may hold.
    for (const userId of [...namedIds].sort()) {
      if (pageEnd !== undefined && userId <= pageEnd) continue;
      const foundPage = pages.firstFrom(set, sortKey(userId));
      if (foundPage === undefined) break;
      const members = unpackPage(set, foundPage.row);
      const otherMembers = members.filter((member) => !namedIds.has(member.userId));
      pageEnd = members.at(-1)?.userId ?? userId;
      if (otherMembers.length === members.length) continue;
      replacePage(set, foundPage, otherMembers);
      erased += members.length - otherMembers.length;
    }
    return erased;
  };
}
