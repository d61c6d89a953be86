// Columns of numbers for a fixed number of intervals, in one typed array. A place without a number is NaN. Does not know which
// interval is at which place.

import type { SeriesColumn } from "./series-page.js";

export interface ColumnRing {
  add(column: number, place: number, amount: number): void;
  set(column: number, place: number, value: number): void;
  /** Empties one place of all columns. */
  clear(place: number): void;
  empty(): void;
  /** Adds the numbers of a column of another ring, where it has some. */
  addAll(column: number, other: ColumnRing): void;
  /** NaN if there is none. */
  at(column: number, place: number): number;
  /** The numbers of these places; null where there is none. */
  read(column: number, places: readonly number[]): SeriesColumn;
}

/** What is no count is read with as many digits as 24 bits surely hold, so that 0.05 is read as it was written. */
const DIGITS = 6;

export function createColumnRing(columns: number, length: number): ColumnRing {
  const numbers = new Float32Array(columns * length).fill(Number.NaN);
  const at = (column: number, place: number): number => numbers[column * length + place] ?? Number.NaN;

  function add(column: number, place: number, amount: number): void {
    const before = at(column, place);
    numbers[column * length + place] = Number.isNaN(before) ? amount : before + amount;
  }

  return {
    add,
    set(column, place, value) {
      numbers[column * length + place] = value;
    },
    clear(place) {
      for (let column = 0; column < columns; column += 1) numbers[column * length + place] = Number.NaN;
    },
    empty: () => void numbers.fill(Number.NaN),
    addAll(column, other) {
      for (let place = 0; place < length; place += 1) {
        const added = other.at(column, place);
        if (!Number.isNaN(added)) add(column, place, added);
      }
    },
    at,
    read: (column, places) =>
      places.map((place) => {
        const number = at(column, place);
        if (Number.isNaN(number)) return null;
        return Number.isInteger(number) ? number : Number(number.toPrecision(DIGITS));
      }),
  };
}
