// Reduces a snapshot to the numbers that series are made of, calls by outcome and a row for each destination, and finds
// what was counted between two of them. Numbers of a row only grow: a smaller one is a counter that has started anew.

import { DELIVERY_SECONDS, HTTP_SECONDS, MAX_LABEL_VALUES, OTHER } from "../limits.js";
import type { HistogramFamily, MetricFamily, MetricLabels, MetricsSnapshot } from "../metrics-snapshot.js";
import { COUNTED_OUTCOMES } from "./series-page.js";

/** The index of each count in a row. */
export const DELIVERED_COUNT = 0;

export const RETRY_COUNT = 1;

export const DEAD_COUNT = 2;

/** The number of counts at the start of a row. The buckets of two histograms follow. */
export const COUNTS = 3;

/** The place of the buckets of a histogram in a row, and their upper bounds: there is one bucket more. */
export interface RowBuckets {
  readonly at: number;
  readonly bounds: readonly number[];
}

/** From acceptance until delivered. */
export const OF_DELIVERIES: RowBuckets = { at: COUNTS, bounds: DELIVERY_SECONDS };

/** Of HTTP requests. */
export const OF_REQUESTS: RowBuckets = { at: COUNTS + DELIVERY_SECONDS.length + 1, bounds: HTTP_SECONDS };

/** The length of a row. */
export const ROW_WIDTH: number = OF_REQUESTS.at + HTTP_SECONDS.length + 1;

/** One row for each label that a registry may have, and one for `other`. */
export const MAX_ROWS: number = MAX_LABEL_VALUES + 1;

/** The row that destinations share when all other rows are in use. */
export const OTHER_ROW = 0;

/** The numbers of one snapshot, or the differences of two. */
export interface Totals {
  /** In the order of `COUNTED_OUTCOMES`. */
  readonly calls: Float64Array;
  /** The rows, one after the other. */
  readonly lanes: Float64Array;
  /** For each row, the deliveries that wait. */
  readonly waiting: Float64Array;
}

/** The row of each destination. */
interface Rows {
  /** The row of a destination; it gets one if there is one left, and otherwise shares that of `other`. */
  at(label: string): number;
  find(label: string): number | undefined;
  /** The number of rows in use. */
  count(): number;
}

export function createRows(): Rows {
  const rows = new Map([[OTHER, OTHER_ROW]]);
  return {
    at(label) {
      const existing = rows.get(label);
      if (existing !== undefined) return existing;
      if (rows.size >= MAX_ROWS) return OTHER_ROW;
      rows.set(label, rows.size);
      return rows.size - 1;
    },
    find: (label) => rows.get(label),
    count: () => rows.size,
  };
}

function createTotals(): Totals {
  return {
    calls: new Float64Array(COUNTED_OUTCOMES.length),
    lanes: new Float64Array(MAX_ROWS * ROW_WIDTH),
    waiting: new Float64Array(MAX_ROWS),
  };
}

export function readTotals({ families }: MetricsSnapshot, rows: Pick<Rows, "at">): Totals {
  const totals = createTotals();
  for (const family of families) readFamily(family, totals, rows);
  return totals;
}

function readFamily(family: MetricFamily, { calls, lanes, waiting }: Totals, rows: Pick<Rows, "at">): void {
  if (family.kind === "histogram") {
    if (family.name === "postrider.delivery.duration") readBuckets(family, OF_DELIVERIES, lanes, rows);
    if (family.name === "http.client.request.duration") readBuckets(family, OF_REQUESTS, lanes, rows);
    return;
  }
  for (const { labels, value } of family.points) {
    switch (family.name) {
      case "postrider.calls":
        add(calls, (COUNTED_OUTCOMES as readonly string[]).indexOf(labelIn(labels, "outcome")), value);
        break;
      case "postrider.deliveries": {
        const count = labelIn(labels, "outcome") === "delivered" ? DELIVERED_COUNT : DEAD_COUNT;
        add(lanes, rows.at(destinationIn(labels)) * ROW_WIDTH + count, value);
        break;
      }
      case "postrider.retries":
        add(lanes, rows.at(destinationIn(labels)) * ROW_WIDTH + RETRY_COUNT, value);
        break;
      case "postrider.lane.waiting":
        add(waiting, rows.at(destinationIn(labels)), value);
        break;
    }
  }
}

function readBuckets(
  { points }: HistogramFamily,
  { at, bounds }: RowBuckets,
  lanes: Float64Array,
  rows: Pick<Rows, "at">,
): void {
  for (const { labels, counts } of points) {
    const start = rows.at(destinationIn(labels)) * ROW_WIDTH + at;
    for (let bucket = 0; bucket <= bounds.length; bucket += 1) add(lanes, start + bucket, counts[bucket] ?? 0);
  }
}

/** The label has a prefix in a metric of OpenTelemetry's conventions. */
function destinationIn(labels: MetricLabels): string {
  return labelIn(labels, "destination") || labelIn(labels, "postrider.destination");
}

function labelIn(labels: MetricLabels, wanted: string): string {
  for (const [name, value] of labels) if (name === wanted) return value;
  return "";
}

/** Ignores an index that is not in the array, as of an outcome that series do not count. */
function add(numbers: Float64Array, index: number, value: number): void {
  const sum = numbers[index];
  if (sum !== undefined) numbers[index] = sum + value;
}

/** The counts of one series, and the deliveries that wait in its lanes now. */
export interface LaneChange {
  readonly counted: Float64Array;
  readonly waiting: number;
}

/** The counts between two snapshots. */
export interface SeriesChanges {
  readonly calls: Float64Array;
  /** The counts of the destination that has the place. */
  readonly placed: ReadonlyMap<number, LaneChange>;
  /** Of all destinations without a place. */
  readonly rest: LaneChange;
  readonly all: LaneChange;
}

/** The counts between two snapshots. A counter that is smaller in the later one has started anew, from 0. Gauges have their later value. */
export function differenceOf(later: Totals, earlier: Totals): Totals {
  const difference = createTotals();
  subtract(difference.calls, later.calls, earlier.calls);
  subtract(difference.lanes, later.lanes, earlier.lanes);
  difference.waiting.set(later.waiting);
  return difference;
}

function subtract(into: Float64Array, later: Float64Array, earlier: Float64Array): void {
  for (let index = 0; index < into.length; index += 1) {
    const count = later[index] ?? 0;
    const earlierCount = earlier[index] ?? 0;
    into[index] = count >= earlierCount ? count - earlierCount : count;
  }
}

/** Adds up a difference of this many rows by series. `placeOf` returns the place of a row, or undefined if it has none. */
export function shareOut(
  { calls, lanes, waiting }: Totals,
  rows: number,
  placeOf: (row: number) => number | undefined,
): SeriesChanges {
  const placed = new Map<number, LaneChange>();
  const unplaced = { counted: new Float64Array(ROW_WIDTH), waiting: 0 };
  const sum = { counted: new Float64Array(ROW_WIDTH), waiting: 0 };
  for (let row = 0; row < rows; row += 1) {
    const change = { counted: rowIn(lanes, row), waiting: waiting[row] ?? 0 };
    const place = placeOf(row);
    if (place !== undefined) placed.set(place, change);
    else addChange(unplaced, change);
    addChange(sum, change);
  }
  return { calls, placed, rest: unplaced, all: sum };
}

function addChange(sum: { readonly counted: Float64Array; waiting: number }, { counted, waiting }: LaneChange): void {
  addRow(sum.counted, counted);
  sum.waiting += waiting;
}

/** The part of a table that is one row; writing to it writes to the table. */
export function rowIn(table: Float64Array, row: number): Float64Array {
  return table.subarray(row * ROW_WIDTH, (row + 1) * ROW_WIDTH);
}

/** Adds the numbers of another row to those of a row. */
export function addRow(row: Float64Array, added: Float64Array): void {
  for (let index = 0; index < ROW_WIDTH; index += 1) row[index] = (row[index] ?? 0) + (added[index] ?? 0);
}
