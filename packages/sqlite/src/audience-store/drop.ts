// Removes a set, a few pages per call, so that no other connection waits long.

import type { SqliteDatabase } from "../file/database.js";
import { readNumber, readRow, readRows, toText } from "../rows/columns.js";

/** How many pages one call removes: about half a megabyte. */
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
