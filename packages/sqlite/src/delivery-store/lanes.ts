// The lanes that hold unfinished deliveries, in pages by lane id.

import type { DestinationId, EpochMs, LanePage, LanePageRequest, LaneRow } from "@postrider/core";
import type { SqliteDatabase } from "../database.js";
import { readNumber, readRows, readText, type Row } from "../read-row.js";
import { toText } from "../text.js";

/** Exported for the test that looks at its plan. */
export const LANE_PAGE: string = `
  select lane, deliveries, bytes, (
    select due_at from delivery d indexed by delivery_due
    where d.lane = l.lane and d.due_at is not null order by d.due_at limit 1
  ) as due_at
  from lane l where deliveries > 0 and lane > ? order by lane limit ?`;

export function prepareLanes(database: SqliteDatabase): (page: LanePageRequest) => LanePage {
  const page = database.prepare(LANE_PAGE);
  return ({ after, limit }) => {
    const rows = readRows(page.all(after === undefined ? "" : toText(after), limit + 1));
    return { lanes: rows.slice(0, limit).map(readLane), more: rows.length > limit };
  };
}

function readLane(row: Row): LaneRow {
  return {
    lane: readText(row, "lane") as DestinationId,
    deliveries: readNumber(row, "deliveries"),
    bytes: readNumber(row, "bytes"),
    nextDueAt: readNumber(row, "due_at") as EpochMs,
  };
}
