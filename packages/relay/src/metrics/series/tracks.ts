// The series of a destination, or of several together, at one step (decision: series): finds the interval of a time, and
// keeps counts, gauges and quantiles of each interval. What was counted between two snapshots belongs to the interval of the
// earlier one; to none if a whole interval had no snapshot, or the clock was set back.

import type { EpochMs } from "@postrider/core";
import {
  type LaneChange,
  addRow,
  COUNTS,
  DEAD_COUNT,
  DELIVERED_COUNT,
  OF_DELIVERIES,
  OF_REQUESTS,
  RETRY_COUNT,
  ROW_WIDTH,
  type RowBuckets,
} from "./totals.js";
import type { LaneSeries, SeriesColumn } from "./series-page.js";

/** Intervals by their number since 1970: `until` is the one after the last. */
interface IntervalRange {
  readonly from: number;
  readonly until: number;
}

interface SeriesTimeline {
  /**
   * The index for the counts since the previous snapshot; undefined if they have none. `clear` is called for each index that an interval
   * begins to use, or that a clock which was set back makes void.
   */
  advance(previousAt: EpochMs | undefined, now: EpochMs): number | undefined;
  /** The intervals that are kept, from that of `since` on. */
  range(since: EpochMs | undefined): IntervalRange;
  /** The indexes of these intervals in a ring. */
  indexesOf(range: IntervalRange): readonly number[];
}

interface SeriesTimelineOptions {
  readonly stepMs: number;
  /** The number of intervals that are kept. */
  readonly length: number;
  readonly clear: (index: number) => void;
}

export function createSeriesTimeline({ stepMs, length, clear }: SeriesTimelineOptions): SeriesTimeline {
  /** The first interval that was looked at, and the one after the last. */
  let [first, end] = [0, 0];
  const intervalOf = (at: EpochMs): number => Math.floor(at / stepMs);

  function clearAll(from: number, until: number): void {
    for (let interval = Math.max(from, until - length); interval < until; interval += 1) clear(interval % length);
  }

  function begin(interval: number): void {
    [first, end] = [interval, interval];
  }

  /** Forgets the counts of the time that comes again: they would be counted twice. */
  function goBackTo(interval: number): void {
    clearAll(interval, end);
    [first, end] = [Math.min(first, interval), Math.min(end, interval)];
  }

  function goOnTo(interval: number): number {
    clearAll(end, interval + 1);
    end = Math.max(end, interval + 1);
    return interval % length;
  }

  return {
    advance(previousAt, now) {
      const interval = intervalOf(now);
      if (previousAt === undefined) begin(interval);
      else if (now < previousAt) goBackTo(interval);
      else if (interval - intervalOf(previousAt) <= 1) return goOnTo(intervalOf(previousAt));
      return undefined;
    },
    range: (since) => {
      const oldest = Math.max(first, end - length);
      const from = since === undefined ? oldest : Math.max(oldest, intervalOf(since));
      return { from: Math.min(from, end), until: end };
    },
    indexesOf: ({ from, until }) => Array.from({ length: until - from }, (_, offset) => (from + offset) % length),
  };
}

/** The columns after the counts, which are numbered as in a row. */
const WAITING = COUNTS;

const QUANTILES = [
  { column: WAITING + 1, buckets: OF_DELIVERIES, share: 0.5 },
  { column: WAITING + 2, buckets: OF_DELIVERIES, share: 0.99 },
  { column: WAITING + 3, buckets: OF_REQUESTS, share: 0.5 },
  { column: WAITING + 4, buckets: OF_REQUESTS, share: 0.99 },
] as const;

const COLUMNS = WAITING + 1 + QUANTILES.length;

export interface LaneTrack {
  /** Adds to the newest interval, which has this index. */
  add(index: number, change: LaneChange): void;
  /** Makes the index ready for a further interval, which is the newest one then. */
  clear(index: number): void;
  /** Adds the counts and gauges of another track, which is emptied. Quantiles remain those of this one. */
  absorb(other: LaneTrack): void;
  read(indexes: readonly number[]): LaneSeries;
  /** The parts of the track, for `absorb`. */
  readonly parts: { readonly ring: ColumnRing; readonly newest: Float64Array };
}

export function createLaneTrack(length: number): LaneTrack {
  const ring = createColumnRing(COLUMNS, length);
  /** The counts of the newest interval. */
  const newest = new Float64Array(ROW_WIDTH);
  return {
    add(index, { counted, waiting }) {
      addRow(newest, counted);
      for (let column = 0; column < COUNTS; column += 1) ring.add(column, index, counted[column] ?? 0);
      ring.set(WAITING, index, waiting);
      for (const { column, buckets, share } of QUANTILES) ring.set(column, index, quantileOf(newest, buckets, share));
    },
    clear(index) {
      ring.clear(index);
      newest.fill(0);
    },
    absorb({ parts }) {
      for (let column = 0; column <= WAITING; column += 1) ring.addAll(column, parts.ring);
      addRow(newest, parts.newest);
      parts.ring.empty();
      parts.newest.fill(0);
    },
    read(indexes) {
      const [deliveryP50 = [], deliveryP99 = [], requestP50 = [], requestP99 = []] = QUANTILES.map(({ column }) =>
        ring.read(column, indexes),
      );
      return {
        delivered: ring.read(DELIVERED_COUNT, indexes),
        retries: ring.read(RETRY_COUNT, indexes),
        dead: ring.read(DEAD_COUNT, indexes),
        waiting: ring.read(WAITING, indexes),
        deliveryP50,
        deliveryP99,
        requestP50,
        requestP99,
      };
    },
    parts: { ring, newest },
  };
}

/** Numbers that are no counts are read with as many digits as 24 bits surely hold, so that 0.05 is read as it was written. */
const DIGITS = 6;

interface ColumnRing {
  add(column: number, index: number, amount: number): void;
  set(column: number, index: number, value: number): void;
  /** Empties one index of all columns. */
  clear(index: number): void;
  empty(): void;
  /** Adds the numbers of a column of another ring, where it has some. */
  addAll(column: number, other: ColumnRing): void;
  /** NaN if there is none. */
  at(column: number, index: number): number;
  /** The numbers at these indexes; null where there is none. */
  read(column: number, indexes: readonly number[]): SeriesColumn;
}

export function createColumnRing(columns: number, length: number): ColumnRing {
  const numbers = new Float32Array(columns * length).fill(Number.NaN);
  const at = (column: number, index: number): number => numbers[column * length + index] ?? Number.NaN;

  function add(column: number, index: number, amount: number): void {
    const sum = at(column, index);
    numbers[column * length + index] = Number.isNaN(sum) ? amount : sum + amount;
  }

  return {
    add,
    set(column, index, value) {
      numbers[column * length + index] = value;
    },
    clear(index) {
      for (let column = 0; column < columns; column += 1) numbers[column * length + index] = Number.NaN;
    },
    empty: () => void numbers.fill(Number.NaN),
    addAll(column, other) {
      for (let index = 0; index < length; index += 1) {
        const added = other.at(column, index);
        if (!Number.isNaN(added)) add(column, index, added);
      }
    },
    at,
    read: (column, indexes) =>
      indexes.map((index) => {
        const number = at(column, index);
        if (Number.isNaN(number)) return null;
        return Number.isInteger(number) ? number : Number(number.toPrecision(DIGITS));
      }),
  };
}

/**
 * The value that `share` of all values do not exceed; NaN if there are none. Of the bucket beyond all bounds it is the last bound, since
 * the values above it are not known.
 */
export function quantileOf(row: Float64Array, { at, bounds }: RowBuckets, share: number): number {
  let total = 0;
  for (let bucket = 0; bucket <= bounds.length; bucket += 1) total += row[at + bucket] ?? 0;
  if (total === 0) return Number.NaN;
  const rank = total * share;
  let below = 0;
  let lower = 0;
  for (const [bucket, upper] of bounds.entries()) {
    const values = row[at + bucket] ?? 0;
    if (values > 0 && below + values >= rank) return lower + ((upper - lower) * (rank - below)) / values;
    below += values;
    lower = upper;
  }
  return lower;
}
