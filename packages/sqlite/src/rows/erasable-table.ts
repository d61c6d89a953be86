// A table whose rows can vanish without a trace. When SQLite takes a row out of a page, it may move the rows beside it
// together, and then a copy of what they hold stays in the page, which `secure_delete` does not know of. So such a table
// never does that to a row that holds something: rows are added at its end, wiped where they lie, and removed by blocks
// in which nothing is left to hold; what is still needed of a block that is nearly empty moves to the end. Between two
// blocks lies a page full of nothing, so that no page is shared (decision: shelves). Knows nothing of what rows mean.

import type { SqliteDatabase } from "../file/database.js";
import { readNumber, readOnly, readRows } from "./read-row.js";

export interface ErasableTable {
  /** To be told of each row that was added: the last one of a block is followed by what keeps blocks apart. */
  rowAdded(id: number): void;
  /** To be told which rows were wiped: their blocks are removed once little enough is left in them. */
  compact(wiped: Iterable<number>): void;
}

export interface ErasableTablePlan {
  readonly table: string;
  /** The table again, with the index that finds what is needed, if there is one. */
  readonly neededFrom: string;
  /** What holds for a row that is still needed. */
  readonly isNeeded: string;
  /** Inserts a row under the first value, with the second in bytes of payload that mean nothing. */
  readonly blank: string;
  /** What a blank row has of payload beside those bytes. */
  readonly blankBytes: number;
}

/** Moves a row to the end and wipes it where it was; answers its new id. */
export type MoveRow = (id: number) => number;

/** Ids in a block; its last one is never a row's. */
export const BLOCK = 256;
/** A block with no more rows that are needed than this is given up, and they move. */
const MAX_MOVED: number = BLOCK / 4;
/** What a leaf page cannot have as payload of one row without passing it on to another page (sqlite.org/fileformat2.html). */
const PAGE_OVERHEAD = 35;

export function prepareErasableTable(database: SqliteDatabase, plan: ErasableTablePlan, move: MoveRow): ErasableTable {
  const { table, neededFrom, isNeeded } = plan;
  const separate = prepareSeparate(database, plan);
  const last = database.prepare(`select coalesce(max(id), 0) as id from ${table}`);
  const needed = database.prepare(`
    select id from ${neededFrom} where id > ? and id < ? and ${isNeeded} order by id limit ${String(MAX_MOVED + 1)}`);
  const remove = database.prepare(`delete from ${table} where id > ? and id <= ?`);

  function rowAdded(id: number): void {
    if ((id + 1) % BLOCK === 0) separate(id + 1);
  }

  function compactBlock(block: number, newest: number): void {
    const [first, end] = [block * BLOCK, (block + 1) * BLOCK];
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
      const newest = blockOf(readNumber(readOnly(last.get()), "id"));
      for (const block of blocks) compactBlock(block, newest);
    },
  };
}

export function blockOf(id: number): number {
  return Math.floor(id / BLOCK);
}

/** Adds the row that keeps a block apart from the next: it fills a page, which has room for no other. */
export function prepareSeparate(
  database: SqliteDatabase,
  { blank, blankBytes }: ErasableTablePlan,
): (id: number) => void {
  const insert = database.prepare(blank);
  const pageSize = readNumber(readOnly(database.prepare("pragma page_size").get()), "page_size");
  return (id) => {
    insert.run(id, pageSize - PAGE_OVERHEAD - blankBytes);
  };
}
