// Lists the lanes with unfinished deliveries, in pages, ordered by lane id.

import {
  createStoreError,
  destinationId,
  epochMs,
  type LanePage,
  type LanePageRequest,
  type LaneRow,
} from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { readMaybeNumber, readNumber, readRows, readText, type Row } from "../rows/read-row.js";
import { toText } from "../rows/text.js";
import { readEarliestDueAt, nextDueSql } from "./due.js";

const FIRST_ATTEMPT_AT = `select first_attempt_at from delivery indexed by delivery_tried
    where lane = l.lane and due_at is not null and first_attempt_at is not null order by first_attempt_at limit 1`;

/** Exported for the test of its query plan. */
export const SELECT_LANE_PAGE: string = `
  select lane, deliveries, bytes, (${FIRST_ATTEMPT_AT}) as first_attempt_at,
    (${nextDueSql("l.lane", 0)}) as fresh, (${nextDueSql("l.lane", 1)}) as tried
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
  const firstAttemptAt = readMaybeNumber(row, "first_attempt_at");
  return {
    lane: destinationId(readText(row, "lane")),
    deliveries: readNumber(row, "deliveries"),
    bytes: readNumber(row, "bytes"),
    nextDueAt,
    ...(firstAttemptAt === undefined ? {} : { firstAttemptAt: epochMs(firstAttemptAt) }),
  };
}
