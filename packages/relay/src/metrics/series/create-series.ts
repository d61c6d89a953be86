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
  const each = Object.values(resolutions);
  let latest: { readonly totals: Totals; readonly at: EpochMs } | undefined;

  function wantedOf(destination: string | undefined): Wanted {
    if (destination === undefined) return "all";
    if (destination === OTHER) return "rest";
    const row = rows.find(destination);
    return row === undefined ? undefined : busiest.placeOf(row);
  }

  return {
    take(snapshot, now) {
      const totals = readTotals(snapshot, rows);
      const before = latest;
      latest = { totals, at: now };
      if (before === undefined) {
        for (const resolution of each) resolution.take(undefined, undefined, now);
        return;
      }
      const difference = differenceOf(totals, before.totals);
      for (const place of busiest.note(difference.lanes, rows.count(), now - before.at)) {
        for (const resolution of each) resolution.giveUp(place);
      }
      const changes = shareOut(difference, rows.count(), (row) => busiest.placeOf(row));
      for (const resolution of each) resolution.take(changes, before.at, now);
    },
    read: ({ step, destination, since }) => resolutions[step].read(wantedOf(destination), since),
  };
}

/** The track to read: that of a place, of all without one, or of all together; undefined: none. */
type Wanted = number | "rest" | "all" | undefined;

interface Resolution {
  /** Keeps the counts between two times. The first time has no earlier one, and no changes. */
  take(changes: SeriesChanges | undefined, before: EpochMs | undefined, now: EpochMs): void;
  /** Moves the counts of a place to the rest, since another destination gets the place. */
  giveUp(place: number): void;
  read(wanted: Wanted, since: EpochMs | undefined): SeriesPage;
}

function createResolution(step: SeriesStep): Resolution {
  const length = SERIES_INTERVALS[step];
  const stepMs = step * MS_PER_SECOND;
  const calls = createColumnRing(COUNTED_OUTCOMES.length, length);
  const [rest, all] = [createLaneTrack(length), createLaneTrack(length)];
  const placed = new Map<number, LaneTrack>();
  const timeline = createSeriesTimeline({ stepMs, length, clear });
  // A whole number of milliseconds, as core's `epochMs` makes it; of core only types are imported here.
  const startOf = (interval: number): EpochMs => (interval * stepMs) as EpochMs;

  /** `slot`: the index of an interval in the rings. */
  function clear(slot: number): void {
    calls.clear(slot);
    for (const track of [rest, all, ...placed.values()]) track.clear(slot);
  }

  function trackAt(place: number): LaneTrack {
    const track = placed.get(place) ?? createLaneTrack(length);
    placed.set(place, track);
    return track;
  }

  function write(at: number, changes: SeriesChanges): void {
    changes.calls.forEach((amount, outcome) => calls.add(outcome, at, amount));
    rest.add(at, changes.rest);
    all.add(at, changes.all);
    for (const [place, change] of changes.placed) trackAt(place).add(at, change);
  }

  function trackOf(wanted: Wanted): LaneTrack | undefined {
    if (wanted === "rest") return rest;
    if (wanted === "all") return all;
    return wanted === undefined ? undefined : placed.get(wanted);
  }

  return {
    take(changes, before, now) {
      const at = timeline.advance(before, now);
      if (at !== undefined && changes !== undefined) write(at, changes);
    },
    giveUp(place) {
      const track = placed.get(place);
      if (track !== undefined) rest.absorb(track);
    },
    read(wanted, since) {
      const span = timeline.span(since);
      const places = timeline.placesOf(span);
      return {
        step,
        from: startOf(span.from),
        until: startOf(span.until),
        calls: byOutcome((outcome) => calls.read(outcome, places)),
        destination: trackOf(wanted)?.read(places),
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
    const [quietest, busiest] = [best([...places.keys()], (row) => -scoreOf(row)), best(unplaced(count), scoreOf)];
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
  let [found, highest]: [number | undefined, number] = [undefined, -Infinity];
  for (const row of rows) {
    const rank = rankOf(row);
    if (rank > highest) [found, highest] = [row, rank];
  }
  return found;
}
