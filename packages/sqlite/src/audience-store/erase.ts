// Removes users from a set: each page that holds some of these users is rewritten in place, or removed if no member is
// left.

import type { Member } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { readMaybeNumber, readRow } from "../rows/columns.js";
import type { FindPage, FoundPage } from "./find-page.js";
import type { FillLength } from "./full-pages.js";
import { packPage, unpackPage } from "./page.js";
import { sortKey } from "./sort-key.js";

export interface ErasingPages {
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
