// Reads a set in the order of its user ids, one page per call, and lists sets by their names. A page is found by binary search, since an
// index of keys would leave copies of user ids in its pages (decision: erasure). A reader that continues at the end of a page gets the
// next page directly.

import type { Member } from "@postrider/core";
import { unpackPage, keyAfter, sortKey, PAGE_COLUMNS } from "./page.js";
import type { SqliteDatabase } from "../file/database.js";
import { readNumber, readRow, type Row, toText, readRows, readText } from "../rows/rows.js";

export function prepareRead(pages: FindPage): (set: string, after?: string) => readonly Member[] {
  return (set, after) => {
    const page = pages.firstAfter(set, after, after === undefined ? sortKey("") : keyAfter(after));
    return page === undefined ? [] : membersAfter(unpackPage(set, page.row), after);
  };
}

/** Removes the members up to `after`. There are no such members if the reader continues at the end of a page. */
function membersAfter(members: readonly Member[], after: string | undefined): readonly Member[] {
  const start = after === undefined ? 0 : members.findIndex(({ userId }) => userId > after);
  return start === 0 ? members : members.slice(start);
}

export interface FoundPage {
  /** The id of the set. */
  readonly id: number;
  /** The position of the page in its set. */
  readonly place: number;
  /** The row number of the page. */
  readonly page: number;
  /** The columns of the page, as `unpackPage` reads them. */
  readonly row: Row;
}

export interface FindPage {
  /** The page with the first member whose sort key is `key` or later. */
  firstFrom(set: string, key: Uint8Array): FoundPage | undefined;
  /** The page with the first member after `after`; the first page if `after` is absent. `key` is `keyAfter(after)`. */
  firstAfter(set: string, after: string | undefined, key: Uint8Array): FoundPage | undefined;
}

/** The number of sets whose last read place is cached. */
const MAX_CACHED_PLACES = 128;

/** This query and the next three are exported for the test of their query plans. */
export const SELECT_FIRST_AND_LAST_PLACE =
  "select min(place) as first, max(place) as last from member_place where member_set = ?";
export const SELECT_WHETHER_PAGE_REACHES = `
  select p.place, m.last_id >= ? as reaches from member_place p join member_page m on m.id = p.page
  where p.member_set = ? and p.place >= ? order by p.place limit 1`;
export const SELECT_IF_PAGE_ENDS_WITH = `
  select 1 as found from member_place p join member_page m on m.id = p.page
  where p.member_set = ? and p.place = ? and m.last_id = ?`;
export const SELECT_PAGE_FROM_PLACE: string = `
  select p.place, p.page, ${PAGE_COLUMNS} from member_place p join member_page m on m.id = p.page
  where p.member_set = ? and p.place >= ? order by p.place limit 1`;

export function prepareFindPage(database: SqliteDatabase): FindPage {
  const idOf = database.prepare("select id from member_set where name = ?");
  const selectEnds = database.prepare(SELECT_FIRST_AND_LAST_PLACE);
  const selectReach = database.prepare(SELECT_WHETHER_PAGE_REACHES);
  const selectIfEnd = database.prepare(SELECT_IF_PAGE_ENDS_WITH);
  const selectPage = database.prepare(SELECT_PAGE_FROM_PLACE);
  /** The last read place of each set. */
  const lastReadPlaces = new Map<string, number>();

  /** The place of the first page that reaches the key, by binary search; erased pages leave gaps between places. */
  function placeFrom(id: number, key: Uint8Array): number | undefined {
    const row = readRow(selectEnds.get(id));
    if (row?.["first"] === null || row === undefined) return undefined;
    let [low, high] = [readNumber(row, "first"), readNumber(row, "last")];
    let firstReaching: number | undefined;
    while (low <= high) {
      const middle = Math.floor((low + high) / 2);
      const page = readRow(selectReach.get(key, id, middle));
      const place = page === undefined ? Infinity : readNumber(page, "place");
      if (page !== undefined && readNumber(page, "reaches") === 0) {
        low = place + 1;
        continue;
      }
      if (place <= high) firstReaching = place;
      high = middle - 1;
    }
    return firstReaching;
  }

  function readPage(set: string, id: number, place: number | undefined): FoundPage | undefined {
    const row = place === undefined ? undefined : readRow(selectPage.get(id, place));
    if (row === undefined) return undefined;
    const foundPage = { id, place: readNumber(row, "place"), page: readNumber(row, "page"), row };
    if (lastReadPlaces.size >= MAX_CACHED_PLACES) lastReadPlaces.clear();
    lastReadPlaces.set(set, foundPage.place);
    return foundPage;
  }

  function idNamed(set: string): number | undefined {
    const row = readRow(idOf.get(toText(set)));
    return row === undefined ? undefined : readNumber(row, "id");
  }

  return {
    firstFrom: (set, key) => {
      const id = idNamed(set);
      return id === undefined ? undefined : readPage(set, id, placeFrom(id, key));
    },
    firstAfter: (set, after, key) => {
      const id = idNamed(set);
      if (id === undefined) return undefined;
      if (after === undefined) return readPage(set, id, 0);
      const lastPlace = lastReadPlaces.get(set);
      const isAtEnd = lastPlace !== undefined && readRow(selectIfEnd.get(id, lastPlace, sortKey(after))) !== undefined;
      return readPage(set, id, isAtEnd ? lastPlace + 1 : placeFrom(id, key));
    },
  };
}

/** Lists the sets whose names begin with a prefix. Each call scans all names; there are only a few names per audience. */
export function prepareSets(database: SqliteDatabase): (prefix: string) => readonly string[] {
  const selectNames = database.prepare("select name from member_set");
  return (prefix) =>
    readRows(selectNames.all())
      .map((row) => readText(row, "name"))
      .filter((name) => name.startsWith(prefix))
      .toSorted((first, second) => (first < second ? -1 : 1));
}
