// The series of one destination, or of several together, at one step: counts, gauges, and quantiles of what the newest interval
// has counted so far.

import type { LaneChange } from "./series-changes.js";
import {
  addRow,
  COUNTS,
  DEAD_COUNT,
  DELIVERED_COUNT,
  OF_DELIVERIES,
  OF_REQUESTS,
  RETRY_COUNT,
  ROW_WIDTH,
} from "./lane-row.js";
import { quantileOf } from "./quantile.js";
import { createColumnRing, type ColumnRing } from "./column-ring.js";
import type { LaneSeries } from "./series-page.js";

/** The columns after the counts, which are numbered as in a row. */
const WAITING = COUNTS;
const QUANTILES = [
  { column: WAITING + 1, of: OF_DELIVERIES, share: 0.5 },
  { column: WAITING + 2, of: OF_DELIVERIES, share: 0.99 },
  { column: WAITING + 3, of: OF_REQUESTS, share: 0.5 },
  { column: WAITING + 4, of: OF_REQUESTS, share: 0.99 },
] as const;
const COLUMNS = WAITING + 1 + QUANTILES.length;

export interface LaneTrack {
  /** Adds to the newest interval, which is at this place. */
  add(place: number, change: LaneChange): void;
  /** Makes the place ready for a further interval, which is the newest one then. */
  clear(place: number): void;
  /** Adds the counts and gauges of another track, which is emptied. Quantiles remain those of this one. */
  absorb(other: LaneTrack): void;
  read(places: readonly number[]): LaneSeries;
  /** What it consists of, for `absorb`. */
  readonly parts: { readonly ring: ColumnRing; readonly newest: Float64Array };
}

export function createLaneTrack(length: number): LaneTrack {
  const ring = createColumnRing(COLUMNS, length);
  /** What the newest interval has counted. */
  const newest = new Float64Array(ROW_WIDTH);
  return {
    add(place, { counted, waiting }) {
      addRow(newest, counted);
      for (let column = 0; column < COUNTS; column += 1) ring.add(column, place, counted[column] ?? 0);
      ring.set(WAITING, place, waiting);
      for (const { column, of, share } of QUANTILES) ring.set(column, place, quantileOf(newest, of, share));
    },
    clear(place) {
      ring.clear(place);
      newest.fill(0);
    },
    absorb({ parts }) {
      for (let column = 0; column <= WAITING; column += 1) ring.addAll(column, parts.ring);
      addRow(newest, parts.newest);
      parts.ring.empty();
      parts.newest.fill(0);
    },
    read(places) {
      const [p50, p99, requestP50, requestP99] = QUANTILES.map(({ column }) => ring.read(column, places));
      return {
        delivered: ring.read(DELIVERED_COUNT, places),
        retries: ring.read(RETRY_COUNT, places),
        dead: ring.read(DEAD_COUNT, places),
        waiting: ring.read(WAITING, places),
        ...{ deliveryP50: p50 ?? [], deliveryP99: p99 ?? [] },
        ...{ requestP50: requestP50 ?? [], requestP99: requestP99 ?? [] },
      };
    },
    parts: { ring, newest },
  };
}
