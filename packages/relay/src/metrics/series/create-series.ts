// A memory of the metrics over time, of a fixed size, in intervals of 10 seconds and of 5 minutes (decision: series).
// The busiest destinations have a series each; one takes a place once it is twice as busy as the quietest. Sets no
// timer and reads no clock: its caller takes the snapshots.

import type { EpochMs } from "@postrider/core";
import { OTHER, MS_PER_SECOND, SERIES_INTERVALS, BUSIER, BUSY_HALF_LIFE_MS, MAX_SERIES_LANES } from "../limits.js";
import type { MetricsSnapshot } from "../metrics-snapshot.js";
import {
  differenceOf,
  shareOut,
  createRows,
  readTotals,
  type Totals,
  type SeriesChanges,
  COUNTS,
  rowIn,
  MAX_ROWS,
  OTHER_ROW,
} from "./totals.js";
import {
  type SeriesPage,
  type SeriesQuery,
  COUNTED_OUTCOMES,
  type CountedOutcome,
  type SeriesColumn,
  type SeriesStep,
} from "./series-page.js";
import { createLaneTrack, type LaneTrack, createColumnRing, createSeriesTimeline } from "./tracks.js";

/** The course of the metrics over time. */
export interface Series {
  /**
   * Takes the next snapshot of the same registry; `now` is the time of the wall clock. To be called at each full 10 seconds, so
   * that the counts between two calls belong to one interval.
   */
  take(snapshot: MetricsSnapshot, now: EpochMs): void;
  /** At most 2,160 intervals, oldest first; none before the second snapshot. */
  readonly read: (query: SeriesQuery) => SeriesPage;
}

/**
 * Series without any interval. They take about 135 kB for each destination, of at most 50, and 700 kB besides: 8 MB at most. If
 * there are more than 50, the 50 busiest have a series each, and all others share one.
 */
export function createSeries(): Series {
  const rows = createRows();
  const busiest = createBusiest();
  const resolutions = { 10: createResolution(10), 300: createResolution(300) } as const;
  const allResolutions = Object.values(resolutions);
  let latest: { readonly totals: Totals; readonly at: EpochMs } | undefined;

  function trackKeyOf(destination: string | undefined): TrackKey {
    if (destination === undefined) return "all";
    if (destination === OTHER) return "rest";
    const row = rows.find(destination);
    return row === undefined ? undefined : busiest.placeOf(row);
  }

  return {
    take(snapshot, now) {
      const totals = readTotals(snapshot, rows);
      const previous = latest;
      latest = { totals, at: now };
      if (previous === undefined) {
        for (const resolution of allResolutions) resolution.take(undefined, undefined, now);
        return;
      }
      const difference = differenceOf(totals, previous.totals);
      for (const place of busiest.note(difference.lanes, rows.count(), now - previous.at)) {
        for (const resolution of allResolutions) resolution.giveUp(place);
      }
      const changes = shareOut(difference, rows.count(), (row) => busiest.placeOf(row));
      for (const resolution of allResolutions) resolution.take(changes, previous.at, now);
    },
    read: ({ step, destination, since }) => resolutions[step].read(trackKeyOf(destination), since),
  };
}

/** The track to read: by its place, or that of the destinations without a place, or of all; undefined: none. */
type TrackKey = number | "rest" | "all" | undefined;

interface Resolution {
  /** Adds the changes since `previousAt`. The first call has neither. */
  take(changes: SeriesChanges | undefined, previousAt: EpochMs | undefined, now: EpochMs): void;
  /** Moves the counts of a place to the rest, since another destination gets the place. */
  giveUp(place: number): void;
  read(key: TrackKey, since: EpochMs | undefined): SeriesPage;
}

function createResolution(step: SeriesStep): Resolution {
  const length = SERIES_INTERVALS[step];
  const stepMs = step * MS_PER_SECOND;
  const calls = createColumnRing(COUNTED_OUTCOMES.length, length);
  const [rest, all] = [createLaneTrack(length), createLaneTrack(length)];
  const tracksByPlace = new Map<number, LaneTrack>();
  const timeline = createSeriesTimeline({ stepMs, length, clear });
  // A whole number of milliseconds, as core's `epochMs` makes it; of core only types are imported here.
  const startOf = (interval: number): EpochMs => (interval * stepMs) as EpochMs;

  /** `index`: that of an interval in the rings. */
  function clear(index: number): void {
    calls.clear(index);
    for (const track of [rest, all, ...tracksByPlace.values()]) track.clear(index);
  }

  function trackAt(place: number): LaneTrack {
    const track = tracksByPlace.get(place) ?? createLaneTrack(length);
    tracksByPlace.set(place, track);
    return track;
  }

  function write(index: number, changes: SeriesChanges): void {
    changes.calls.forEach((amount, outcome) => calls.add(outcome, index, amount));
    rest.add(index, changes.rest);
    all.add(index, changes.all);
    for (const [place, change] of changes.placed) trackAt(place).add(index, change);
  }

  function trackOf(key: TrackKey): LaneTrack | undefined {
    if (key === "rest") return rest;
    if (key === "all") return all;
    return key === undefined ? undefined : tracksByPlace.get(key);
  }

  return {
    take(changes, previousAt, now) {
      const index = timeline.advance(previousAt, now);
      if (index !== undefined && changes !== undefined) write(index, changes);
    },
    giveUp(place) {
      const track = tracksByPlace.get(place);
      if (track !== undefined) rest.absorb(track);
    },
    read(key, since) {
      const range = timeline.range(since);
      const indexes = timeline.indexesOf(range);
      return {
        step,
        from: startOf(range.from),
        until: startOf(range.until),
        calls: byOutcome((outcome) => calls.read(outcome, indexes)),
        destination: trackOf(key)?.read(indexes),
      };
    },
  };
}

function byOutcome(read: (outcome: number) => SeriesColumn): SeriesPage["calls"] {
  const columns = COUNTED_OUTCOMES.map((outcome, index) => [outcome, read(index)] as const);
  return Object.fromEntries(columns) as Record<CountedOutcome, SeriesColumn>;
}

interface Busiest {
  /**
   * Takes in the counts of the first `count` rows in the last `elapsedMs`, and returns the places that have gone from one row to another.
   */
  note(lanes: Float64Array, count: number, elapsedMs: number): readonly number[];
  /** The place of a row; undefined if it has none. */
  placeOf(row: number): number | undefined;
}

function createBusiest(): Busiest {
  const scores = new Float64Array(MAX_ROWS);
  const places = new Map<number, number>();

  function score(lanes: Float64Array, count: number, elapsedMs: number): void {
    const decay = 0.5 ** (Math.max(0, elapsedMs) / BUSY_HALF_LIFE_MS);
    for (let row = 0; row < count; row += 1) scores[row] = scoreOf(row) * decay + endedIn(rowIn(lanes, row));
  }

  function scoreOf(row: number): number {
    return scores[row] ?? 0;
  }

  function fillPlaces(count: number): void {
    for (let row = OTHER_ROW + 1; row < count && places.size < MAX_SERIES_LANES; row += 1) {
      if (!places.has(row)) places.set(row, places.size);
    }
  }

  /** The place that went to another row; undefined if all remain where they are. */
  function moveOne(count: number): number | undefined {
    const quietest = best([...places.keys()], (row) => -scoreOf(row));
    const busiest = best(unplaced(count), scoreOf);
    if (quietest === undefined || busiest === undefined) return undefined;
    const place = places.get(quietest);
    if (place === undefined || scoreOf(busiest) <= BUSIER * scoreOf(quietest)) return undefined;
    places.delete(quietest);
    places.set(busiest, place);
    return place;
  }

  function unplaced(count: number): readonly number[] {
    const rows = Array.from({ length: count }, (_, row) => row);
    return rows.filter((row) => row !== OTHER_ROW && !places.has(row));
  }

  return {
    note(lanes, count, elapsedMs) {
      score(lanes, count, elapsedMs);
      fillPlaces(count);
      const moved: number[] = [];
      while (moved.length < MAX_SERIES_LANES) {
        const place = moveOne(count);
        if (place === undefined) break;
        moved.push(place);
      }
      return moved;
    },
    placeOf: (row) => places.get(row),
  };
}

/** Deliveries and rounds that have ended. */
function endedIn(row: Float64Array): number {
  let ended = 0;
  for (let number = 0; number < COUNTS; number += 1) ended += row[number] ?? 0;
  return ended;
}

/** The first of the rows that have the highest rank. */
function best(rows: readonly number[], rankOf: (row: number) => number): number | undefined {
  let bestRow: number | undefined;
  let highest = -Infinity;
  for (const row of rows) {
    const rank = rankOf(row);
    if (rank > highest) [bestRow, highest] = [row, rank];
  }
  return bestRow;
}
