// Lists deliveries, newest first, in pages. A cursor holds the row of the last delivery shown: no later delivery gets
// that row, and a sweep does not shift it. A page may be short or empty although a next one follows. The rows of a page
// are found first, and only these are then read in full.

import type { DeliveryPage, DeliverySummary, ListQuery } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { readNumber, readOnly, readRow } from "../rows/read-row.js";
import { LAST_ID } from "./codes.js";
import { findRows } from "./find-rows.js";
import { findByMessageId, type MessageIds } from "./find-by-message-id.js";
import { readSummary, SUMMARY } from "./summary.js";

export function prepareList(database: SqliteDatabase, ids: MessageIds): (query: ListQuery) => DeliveryPage {
  const summary = database.prepare(
    `select ${SUMMARY} from delivery d join message m on m.id = d.message where d.id = ?`,
  );
  const newest = database.prepare(LAST_ID);
  const floor = database.prepare("select id from delivery where id < ? order by id desc limit 1 offset ?");

  function show(row: number): DeliverySummary {
    return readSummary(readOnly(summary.get(row)));
  }

  /** The row below which the page begins; a cursor that this store did not make begins below all. */
  function startOf(after: string | undefined): number {
    if (after === undefined) return Number.MAX_SAFE_INTEGER;
    const row = Number(CURSOR.exec(after)?.[1] ?? 0);
    return row <= readNumber(readOnly(newest.get()), "row") ? row : 0;
  }

  /** The row above which the page ends: a filter without an index scans a bounded number of rows per page. */
  function floorOf(
    { messageId, source, type, reason, acceptedSince, acceptedBefore }: ListQuery,
    before: number,
  ): number {
    const searched = [messageId, source, type, reason, acceptedSince, acceptedBefore];
    if (searched.every((filter) => filter === undefined)) return 0;
    // Rows that the dedupe entries cover are not scanned.
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

/** Rows scanned for one page: at 5 microseconds each, more would block the thread. */
const SCANNED_ROWS = 20_000;

const CURSOR = /^before-([1-9]\d{0,14})$/;
