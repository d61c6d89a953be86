// Lists deliveries, newest first, in pages. A cursor names the last one shown by its row, which no later delivery can
// take and no sweep can shift. Which rows belong to a page is found first; only these are then read.

import type { DeliveryPage, DeliverySummary, ListQuery } from "@postrider/core";
import type { SqliteDatabase } from "../database.js";
import { readNumber, readOnly } from "../read-row.js";
import { LAST_ID } from "./codes.js";
import { findRows } from "./find-rows.js";
import { readSummary, SUMMARY } from "./summary.js";

export function prepareList(database: SqliteDatabase): (query: ListQuery) => DeliveryPage {
  const summary = database.prepare(
    `select ${SUMMARY} from delivery d join message m on m.id = d.message where d.id = ?`,
  );
  const newest = database.prepare(LAST_ID);

  function show(row: number): DeliverySummary {
    return readSummary(readOnly(summary.get(row)));
  }

  /** The row below which the page begins; a cursor that this store did not make begins below all. */
  function startOf(after: string | undefined): number {
    if (after === undefined) return Number.MAX_SAFE_INTEGER;
    const row = Number(CURSOR.exec(after)?.[1] ?? 0);
    return row <= readNumber(readOnly(newest.get()), "row") ? row : 0;
  }

  return (query) => {
    const { limit } = query;
    const rows = findRows(database, query, { before: startOf(query.after), limit: limit + 1 });
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    const next = rows.length > limit && last !== undefined ? { next: `before-${String(last)}` } : {};
    return { deliveries: shown.map(show), ...next };
  };
}

const CURSOR = /^before-([1-9]\d{0,14})$/;
