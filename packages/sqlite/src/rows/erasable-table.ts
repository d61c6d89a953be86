// A table whose rows can be erased without leaving copies (decision: erasable tables): rows are only added at the end, are
// overwritten in place, and are removed in blocks that hold no data any more. It does not know what the rows mean.

import type { SqliteDatabase } from "../file/database.js";
import { readNumber, readSingleRow, readRows } from "./read-row.js";

export interface ErasableTable {
  /** To be called after each row that was added: adds the filler row after the last row of a block. */
  rowAdded(id: number): void;
  /**
   * To be called after rows were wiped: removes each of their blocks in which at most a quarter of the rows are still
   * needed; the newest block only if none is.
   */
  compact(wiped: Iterable<number>): void;
}

export interface ErasableTablePlan {
  readonly table: string;
  /** The table, with the index that finds the needed rows, if there is one. */
  readonly neededFrom: string;
  /** The condition, as SQL, of a row that is still needed. */
  readonly isNeeded: string;
  /** The SQL that inserts a filler row: its id, and its length in bytes. */
  readonly blank: string;
  /** The bytes of payload that a filler row has in addition to that length. */
  readonly blankBytes: number;
}

/** Copies a row to the end of the table and wipes the old row; returns the new id. */
export type MoveRow = (id: number) => number;

/** How many ids a block has. The id of its filler row, which comes last, is a multiple of this. */
export const BLOCK_ROWS = 256;
/** A block with at most this many needed rows is removed, and its needed rows move to the end. */
const MAX_MOVED: number = BLOCK_ROWS / 4;
/** Bytes of a leaf page that cannot be payload of a row that fits into the page (sqlite.org/fileformat2.html). */
const PAGE_OVERHEAD = 35;

/**
 * When SQLite removes a row, it may move the other rows of the page, and copies of their bytes stay in the page:
 * `secure_delete` does not cover these copies. So whole blocks are removed, and the rows of such a block that are still
 * needed move to the end. A filler row of one page is between two blocks, so that blocks share no page.
 */
export function prepareErasableTable(database: SqliteDatabase, plan: ErasableTablePlan, move: MoveRow): ErasableTable {
  const { table, neededFrom, isNeeded } = plan;
  const separate = prepareAddFillerRow(database, plan);
  const last = database.prepare(`select coalesce(max(id), 0) as id from ${table}`);
  const needed = database.prepare(`
    select id from ${neededFrom} where id > ? and id < ? and ${isNeeded} order by id limit ${String(MAX_MOVED + 1)}`);
  const remove = database.prepare(`delete from ${table} where id > ? and id <= ?`);

  function rowAdded(id: number): void {
    if ((id + 1) % BLOCK_ROWS === 0) separate(id + 1);
  }

  function compactBlock(block: number, newest: number): void {
    const [first, end] = [block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS];
    const left = readRows(needed.all(first, end)).map((row) => readNumber(row, "id"));
    if (left.length > (block === newest ? 0 : MAX_MOVED)) return;
    for (const id of left) rowAdded(move(id));
    remove.run(first, end);
  }

  return {
    rowAdded,
    compact: (wiped): void => {
      const blocks = new Set(Array.from(wiped, blockOf));
      if (blocks.size === 0) return;
      const newest = blockOf(readNumber(readSingleRow(last.get()), "id"));
      for (const block of blocks) compactBlock(block, newest);
    },
  };
}

function blockOf(id: number): number {
  return Math.floor(id / BLOCK_ROWS);
}

/**
 * Returns a function that adds the filler row between two blocks. The row fills a page, so no other row fits into that
 * page.
 */
function prepareAddFillerRow(database: SqliteDatabase, { blank, blankBytes }: ErasableTablePlan): (id: number) => void {
  const insert = database.prepare(blank);
  const pageSize = readNumber(readSingleRow(database.prepare("pragma page_size").get()), "page_size");
  return (id) => {
    insert.run(id, pageSize - PAGE_OVERHEAD - blankBytes);
  };
}
