// Stores the excerpts of receivers' answers. Excerpts may hold personal data, so their table is an erasable table.

import type { SqliteDatabase } from "../file/database.js";
import { prepareErasableTable, type ErasableTable, type ErasableTablePlan } from "../rows/erasable-table.js";

export interface Excerpts {
  /** Adds the excerpt of an endpoint of a delivery; returns its row. */
  add(delivery: number, place: number, bytes: Uint8Array): number;
  /** Overwrites the excerpts in these rows. */
  wipe(rows: readonly number[]): void;
}

const EXCERPT_TABLE: ErasableTablePlan = {
  table: "excerpt",
  neededFrom: "excerpt indexed by excerpt_kept",
  isNeeded: "bytes is not null",
  blank: "insert into excerpt (id, delivery, place, bytes) values (?, 0, 0, zeroblob(?))",
  blankBytes: 6,
};

export function prepareExcerpts(database: SqliteDatabase): Excerpts {
  const insert = database.prepare("insert into excerpt (delivery, place, bytes) values (?, ?, ?)");
  const wipe = database.prepare("update excerpt set bytes = null where id = ?");
  const table = prepareExcerptTable(database);
  return {
    add: (delivery, place, bytes): number => {
      const row = Number(insert.run(delivery, place, bytes).lastInsertRowid);
      table.rowAdded(row);
      return row;
    },
    wipe: (rows): void => {
      for (const row of rows) wipe.run(row);
      table.compact(rows);
    },
  };
}

/** When an excerpt moves, its endpoint state is changed to refer to the new row. */
function prepareExcerptTable(database: SqliteDatabase): ErasableTable {
  const copy = database.prepare(
    "insert into excerpt (delivery, place, bytes) select delivery, place, bytes from excerpt where id = ?",
  );
  const follow = database.prepare(`
    update endpoint_state set excerpt = ?1
    where (delivery, place) = (select delivery, place from excerpt where id = ?2) and excerpt = ?2`);
  const wipe = database.prepare("update excerpt set bytes = null where id = ?");
  return prepareErasableTable(database, EXCERPT_TABLE, (id) => {
    const moved = Number(copy.run(id).lastInsertRowid);
    follow.run(moved, id);
    wipe.run(id);
    return moved;
  });
}
