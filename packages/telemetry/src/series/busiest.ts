// Decides which destinations have a series each: the busiest, by the rounds and deliveries that have ended, of which those of an
// hour ago count half. While places are free, each destination gets one. Later, one that is twice as busy as the quietest takes
// its place (decision: series).

import { BUSIER, BUSY_HALF_LIFE_MS, MAX_SERIES_LANES } from "../limits.js";
import { COUNTS, rowIn } from "./lane-row.js";
import { MAX_ROWS, OTHER_ROW } from "./read-totals.js";

export interface Busiest {
  /**
   * Takes in what the first `count` rows have counted in the last `elapsedMs`, and returns the places that have gone from one row
   * to another.
   */
  note(lanes: Float64Array, count: number, elapsedMs: number): readonly number[];
  /** The place of a row; undefined if it has none. */
  placeOf(row: number): number | undefined;
}

export function createBusiest(): Busiest {
  const scores = new Float64Array(MAX_ROWS);
  const places = new Map<number, number>();

  function score(lanes: Float64Array, count: number, elapsedMs: number): void {
    const kept = 0.5 ** (Math.max(0, elapsedMs) / BUSY_HALF_LIFE_MS);
    for (let row = 0; row < count; row += 1) scores[row] = scoreOf(row) * kept + endedIn(rowIn(lanes, row));
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
