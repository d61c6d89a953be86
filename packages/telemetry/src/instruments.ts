// Counters and histograms with at most two labels. Recording looks up one number and creates nothing once its labels are
// known. Does not know what is recorded, and relies on its callers for a bounded number of label values.

import type { HistogramFamily, MetricFacts, MetricLabels, NumberFamily } from "./metrics-snapshot.js";

/** The labels of a point, from the two values that it was recorded with. */
export type LabelsOf = (first: string, second: string) => MetricLabels;

export interface Counter {
  add(amount: number, first: string, second?: string): void;
  family(): NumberFamily;
}

export interface Histogram {
  /** A value below 0, as after a clock was set back, counts as 0. */
  record(value: number, first?: string, second?: string): void;
  family(): HistogramFamily;
}

export function createCounter(facts: MetricFacts, labelsOf: LabelsOf): Counter {
  const cells = createCells(() => ({ value: 0 }));
  return {
    add(amount, first, second = "") {
      cells.at(first, second).value += amount;
    },
    family: () => ({
      ...facts,
      kind: "counter",
      points: cells.list(({ value }, first, second) => ({ labels: labelsOf(first, second), value })),
    }),
  };
}

export function createHistogram(facts: MetricFacts, bounds: readonly number[], labelsOf: LabelsOf): Histogram {
  const cells = createCells(() => ({ counts: new Array<number>(bounds.length + 1).fill(0), sum: 0 }));
  return {
    record(value, first = "", second = "") {
      const cell = cells.at(first, second);
      const counted = Math.max(0, value);
      const bucket = bucketOf(bounds, counted);
      cell.counts[bucket] = (cell.counts[bucket] ?? 0) + 1;
      cell.sum += counted;
    },
    family: () => ({
      ...facts,
      kind: "histogram",
      bounds,
      points: cells.list(({ counts, sum }, first, second) => ({
        labels: labelsOf(first, second),
        counts: [...counts],
        sum,
      })),
    }),
  };
}

/** The first bucket whose bound is not exceeded; the one after all bounds if each is. */
function bucketOf(bounds: readonly number[], value: number): number {
  let bucket = 0;
  for (const bound of bounds) {
    if (value <= bound) return bucket;
    bucket += 1;
  }
  return bucket;
}

interface Cells<Cell> {
  at(first: string, second: string): Cell;
  list<Point>(point: (cell: Cell, first: string, second: string) => Point): readonly Point[];
}

/** Two levels of maps: no key is joined of two texts at each recording. */
function createCells<Cell>(create: () => Cell): Cells<Cell> {
  const rows = new Map<string, Map<string, Cell>>();
  return {
    at(first, second) {
      const known = rows.get(first);
      const row = known ?? new Map<string, Cell>();
      if (known === undefined) rows.set(first, row);
      const found = row.get(second);
      if (found !== undefined) return found;
      const cell = create();
      row.set(second, cell);
      return cell;
    },
    list: (point) => [...rows].flatMap(([first, row]) => [...row].map(([second, cell]) => point(cell, first, second))),
  };
}
