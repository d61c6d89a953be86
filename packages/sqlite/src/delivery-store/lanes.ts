// Lists the lanes with unfinished deliveries, in pages, ordered by lane id.

import { createStoreError, destinationId, type LanePage, type LanePageRequest, type LaneRow } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { readNumber, readRows, readText, type Row } from "../rows/read-row.js";
import { toText } from "../rows/text.js";
import { readEarliestDueAt, nextDueSql } from "./due.js";

/** Exported for the test of its query plan. */
export const SELECT_LANE_PAGE: string = `
  select lane, deliveries, bytes, (${nextDueSql("l.lane", 0)}) as fresh, (${nextDueSql("l.lane", 1)}) as tried
  from lane l where deliveries > 0 and lane > ? order by lane limit ?`;

export function prepareLanes(database: SqliteDatabase): (page: LanePageRequest) => LanePage {
  const page = database.prepare(SELECT_LANE_PAGE);
  return ({ after, limit }) => {
    const rows = readRows(page.all(after === undefined ? "" : toText(after), limit + 1));
    return { lanes: rows.slice(0, limit).map(readLane), more: rows.length > limit };
  };
}

function readLane(row: Row): LaneRow {
  const nextDueAt = readEarliestDueAt(row);
  if (nextDueAt === undefined)
    throw createStoreError("corrupt", "SQLite: a lane is said to hold deliveries, and has none");
  return {
    lane: destinationId(readText(row, "lane")),
    deliveries: readNumber(row, "deliveries"),
    bytes: readNumber(row, "bytes"),
    nextDueAt,
  };
}
