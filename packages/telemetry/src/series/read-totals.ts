// Reduces a snapshot to the numbers that series are made of: calls by outcome, and a row for each destination. Does not know what
// they were before.

import { MAX_LABEL_VALUES, OTHER } from "../limits.js";
import type { HistogramFamily, MetricFamily, MetricLabels, MetricsSnapshot } from "../metrics-snapshot.js";
import {
  DEAD_COUNT,
  DELIVERED_COUNT,
  OF_DELIVERIES,
  OF_REQUESTS,
  RETRY_COUNT,
  ROW_WIDTH,
  type RowBuckets,
} from "./lane-row.js";
import { COUNTED_OUTCOMES } from "./series-page.js";

/** One row for each label that a registry may have, and one for `other`. */
export const MAX_ROWS: number = MAX_LABEL_VALUES + 1;

/** The row of all destinations that have no other one. */
export const OTHER_ROW = 0;

/** The numbers of one snapshot, or the differences of two. */
export interface Totals {
  /** In the order of `COUNTED_OUTCOMES`. */
  readonly calls: Float64Array;
  readonly lanes: Float64Array;
  /** For each row, the deliveries that wait. */
  readonly waiting: Float64Array;
}

/** Which destination has which row. */
export interface Rows {
  /** The row of a destination; it gets one if there is one left. */
  at(label: string): number;
  find(label: string): number | undefined;
  /** How many rows are in use. */
  count(): number;
}

export function createRows(): Rows {
  const rows = new Map([[OTHER, OTHER_ROW]]);
  return {
    at(label) {
      const known = rows.get(label);
      if (known !== undefined) return known;
      if (rows.size >= MAX_ROWS) return OTHER_ROW;
      rows.set(label, rows.size);
      return rows.size - 1;
    },
    find: (label) => rows.get(label),
    count: () => rows.size,
  };
}

export function createTotals(): Totals {
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
        const number = labelIn(labels, "outcome") === "delivered" ? DELIVERED_COUNT : DEAD_COUNT;
        add(lanes, rows.at(destinationIn(labels)) * ROW_WIDTH + number, value);
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

function destinationIn(labels: MetricLabels): string {
  return labelIn(labels, "destination") || labelIn(labels, "postrider.destination");
}

function labelIn(labels: MetricLabels, wanted: string): string {
  for (const [name, value] of labels) if (name === wanted) return value;
  return "";
}

/** A place outside of the numbers has none. */
function add(numbers: Float64Array, place: number, value: number): void {
  const before = numbers[place];
  if (before !== undefined) numbers[place] = before + value;
}
