// What is counted of a destination, as a row of numbers: rows are subtracted and added without a look at their parts. All of
// them only grow, so that a smaller one is a counter that has started anew.

import { DELIVERY_SECONDS, HTTP_SECONDS } from "../limits.js";

/** The numbers of a row. */
export const DELIVERED_COUNT = 0;
export const RETRY_COUNT = 1;
export const DEAD_COUNT = 2;

/** How many numbers at the start of a row are counts. The buckets of two histograms follow. */
export const COUNTS = 3;

/** Where the buckets of a histogram are in a row, and their upper bounds: there is one bucket more. */
export interface RowBuckets {
  readonly at: number;
  readonly bounds: readonly number[];
}

/** From acceptance until delivered. */
export const OF_DELIVERIES: RowBuckets = { at: COUNTS, bounds: DELIVERY_SECONDS };

/** Of HTTP requests. */
export const OF_REQUESTS: RowBuckets = { at: COUNTS + DELIVERY_SECONDS.length + 1, bounds: HTTP_SECONDS };

/** The numbers of a row. */
export const ROW_WIDTH: number = OF_REQUESTS.at + HTTP_SECONDS.length + 1;

/** The part of a table that is one row; writing to it writes to the table. */
export function rowIn(table: Float64Array, row: number): Float64Array {
  return table.subarray(row * ROW_WIDTH, (row + 1) * ROW_WIDTH);
}

/** Adds the numbers of another row to those of a row. */
export function addRow(row: Float64Array, added: Float64Array): void {
  for (let index = 0; index < ROW_WIDTH; index += 1) row[index] = (row[index] ?? 0) + (added[index] ?? 0);
}
