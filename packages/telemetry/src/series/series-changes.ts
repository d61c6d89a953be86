// What was counted between two snapshots, and for which series it counts: each busy destination, the rest of them, all of them.

import { addRow, ROW_WIDTH, rowIn } from "./lane-row.js";
import { createTotals, type Totals } from "./read-totals.js";

/** What was counted of one series, and what waits in its lanes now. */
export interface LaneChange {
  readonly counted: Float64Array;
  readonly waiting: number;
}

/** What was counted between two snapshots. */
export interface SeriesChanges {
  readonly calls: Float64Array;
  /** Of each place, those that no destination has left out. */
  readonly placed: ReadonlyMap<number, LaneChange>;
  /** Of all destinations without a place. */
  readonly rest: LaneChange;
  readonly all: LaneChange;
}

/** What was counted since `before`. A counter that is smaller now has started anew, from 0. Gauges are as they are now. */
export function differenceOf(now: Totals, before: Totals): Totals {
  const difference = createTotals();
  subtract(difference.calls, now.calls, before.calls);
  subtract(difference.lanes, now.lanes, before.lanes);
  difference.waiting.set(now.waiting);
  return difference;
}

function subtract(into: Float64Array, now: Float64Array, before: Float64Array): void {
  for (let index = 0; index < into.length; index += 1) {
    const [later = 0, earlier = 0] = [now[index], before[index]];
    into[index] = later >= earlier ? later - earlier : later;
  }
}

/** Adds up a difference of this many rows by series. `placeOf` tells the place of a row, or undefined if it has none. */
export function shareOut(
  { calls, lanes, waiting }: Totals,
  rows: number,
  placeOf: (row: number) => number | undefined,
): SeriesChanges {
  const placed = new Map<number, LaneChange>();
  const rest = { counted: new Float64Array(ROW_WIDTH), waiting: 0 };
  const all = { counted: new Float64Array(ROW_WIDTH), waiting: 0 };
  for (let row = 0; row < rows; row += 1) {
    const change = { counted: rowIn(lanes, row), waiting: waiting[row] ?? 0 };
    const place = placeOf(row);
    if (place !== undefined) placed.set(place, change);
    else addChange(rest, change);
    addChange(all, change);
  }
  return { calls, placed, rest, all };
}

function addChange(sum: { readonly counted: Float64Array; waiting: number }, { counted, waiting }: LaneChange): void {
  addRow(sum.counted, counted);
  sum.waiting += waiting;
}
