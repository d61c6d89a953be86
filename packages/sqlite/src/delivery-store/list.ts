// Lists deliveries, newest first, in pages. A cursor holds the row number of the last delivery shown; row numbers are
// never reused, and a sweep does not change them. A page may be short or empty although another page follows. The row
// numbers of a page are found first; then only these rows are read in full.

import type { DeliveryPage, DeliverySummary, ListQuery } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { readNumber, readSingleRow, readRow } from "../rows/read-row.js";
import { SELECT_LAST_ID } from "./codes.js";
import { findRows } from "./find-rows.js";
import { findByMessageId, type MessageIds } from "./find-by-message-id.js";
import { readSummary, SUMMARY_COLUMNS } from "./summary.js";

export function prepareList(database: SqliteDatabase, ids: MessageIds): (query: ListQuery) => DeliveryPage {
  const summary = database.prepare(
    `select ${SUMMARY_COLUMNS} from delivery d join message m on m.id = d.message where d.id = ?`,
  );
  const newest = database.prepare(SELECT_LAST_ID);
  const floor = database.prepare("select id from delivery where id < ? order by id desc limit 1 offset ?");

  function show(row: number): DeliverySummary {
    return readSummary(readSingleRow(summary.get(row)));
  }

  /**
   * The row number below which rows are shown. It is 0, so that no row is shown, for a cursor that this store did not
   * make.
   */
  function startOf(after: string | undefined): number {
    if (after === undefined) return Number.MAX_SAFE_INTEGER;
    const row = Number(CURSOR.exec(after)?.[1] ?? 0);
    return row <= readNumber(readSingleRow(newest.get()), "row") ? row : 0;
  }

  /**
   * The row number above which rows are shown. It may be above 0 if a filter has no index, so that a page scans a
   * bounded number of rows.
   */
  function floorOf(
    { messageId, source, type, reason, details, userId, acceptedSince, acceptedBefore }: ListQuery,
    before: number,
  ): number {
    const searched = [messageId, source, type, reason, details, userId, acceptedSince, acceptedBefore];
    if (searched.every((filter) => filter === undefined)) return 0;
    // Rows that are found by the dedupe entries are not scanned.
    const from = messageId === undefined ? before : Math.min(before, ids.after() + 1);
    const row = readRow(floor.get(from, SCANNED_ROWS));
    return row === undefined ? 0 : readNumber(row, "id");
  }

  return (query) => {
    const { limit } = query;
    const before = startOf(query.after);
    const above = floorOf(query, before);
    const page = { before, above, limit: limit + 1 };
    const rows =
      query.messageId === undefined ? findRows(database, query, page) : findByMessageId({ database, ids }, query, page);
    const shown = rows.slice(0, limit);
    const beforeNext = rows.length > limit ? shown.at(-1) : above + 1;
    const next = beforeNext === undefined || beforeNext === 1 ? {} : { next: `before-${String(beforeNext)}` };
    return { deliveries: shown.map(show), ...next };
  };
}

/** Rows scanned for one page, at 5 microseconds each: more rows would block the thread for too long. */
const SCANNED_ROWS = 20_000;

const CURSOR = /^before-([1-9]\d{0,14})$/;
