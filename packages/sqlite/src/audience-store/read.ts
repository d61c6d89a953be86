// Reads a set on, one page at a time.

import type { Member } from "@postrider/core";
import type { SqliteDatabase } from "../database.js";
import { readRow } from "../read-row.js";
import { toText } from "../text.js";
import { PAGE, unpackPage } from "./page.js";
import { keyAfter, sortKey } from "./sort-key.js";

/** Exported for the test that looks at its plan. */
export const PAGE_FROM: string = `
  select ${PAGE} from member_page
  where member_set = (select id from member_set where name = ?) and last_id >= ? order by last_id limit 1`;

export function prepareRead(database: SqliteDatabase): (set: string, after?: string) => readonly Member[] {
  const pageFrom = database.prepare(PAGE_FROM);

  return (set, after) => {
    const row = readRow(pageFrom.get(toText(set), after === undefined ? sortKey("") : keyAfter(after)));
    if (row === undefined) return [];
    return beyond(unpackPage(set, row), after);
  };
}

/** Whoever goes on where a page ended gets the whole of the next. */
function beyond(members: readonly Member[], after: string | undefined): readonly Member[] {
  const start = after === undefined ? 0 : members.findIndex(({ userId }) => userId > after);
  return start === 0 ? members : members.slice(start);
}
