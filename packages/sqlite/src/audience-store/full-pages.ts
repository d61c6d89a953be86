// Rows that each fill their pages to the last byte, so that no page holds anything of two of them. What is deleted is
// overwritten, but where rows share a page, SQLite pushes those that stay together, and copies of them are left between
// (decision: erasure). Knows nothing of what rows hold.

import type { SqliteDatabase } from "../file/database.js";
import { readNumber, readOnly } from "../rows/read-row.js";

/**
 * How many bytes have to be added to the last blob of a row of `(id integer primary key, blob, ...)`, so that it fills its
 * pages. `lengths` are those of its blobs.
 */
export type Filling = (lengths: readonly number[]) => number;

/** What a leaf takes of a row before it passes the rest on, and what a page of the rest takes (sqlite.org/fileformat2.html). */
const LEAF_OVERHEAD = 35;
const CHAIN_OVERHEAD = 4;

/** For the page size of this database. */
export function prepareFilling(database: SqliteDatabase): Filling {
  const pageSize = readNumber(readOnly(database.prepare("pragma page_size").get()), "page_size");
  return fillingFor(pageSize);
}

export function fillingFor(pageSize: number): Filling {
  const [leaf, link] = [pageSize - LEAF_OVERHEAD, pageSize - CHAIN_OVERHEAD];
  return (lengths) => {
    const shortest = payloadOf(lengths, 0);
    for (let links = Math.max(0, Math.ceil((shortest - leaf) / link)); ; links += 1) {
      const pad = padTo(lengths, leaf + links * link);
      if (pad !== undefined) return pad;
    }
  };
}

/** Undefined where no pad leads there: what says how long a blob is may itself take up to three bytes more. */
function padTo(lengths: readonly number[], payload: number): number | undefined {
  const most = payload - payloadOf(lengths, 0);
  return [most, most - 1, most - 2, most - 3].find((pad) => pad >= 0 && payloadOf(lengths, pad) === payload);
}

/** What a row takes: the length of its header, one byte for the id, the types of its blobs, and those. */
function payloadOf(lengths: readonly number[], pad: number): number {
  const padded = lengths.map((length, index) => length + (index === lengths.length - 1 ? pad : 0));
  return padded.reduce((sum, length) => sum + varintLength(2 * length + 12) + length, 2);
}

function varintLength(value: number): number {
  return value < 2 ** 7 ? 1 : value < 2 ** 14 ? 2 : value < 2 ** 21 ? 3 : 4;
}
