// Counters and histograms with at most two labels. Recording looks up one number and creates nothing once its labels are
// known; a point has the same labels, as one object, in each snapshot. Does not know what is recorded, and relies on its callers
// for a bounded number of label values.

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
  const cells = createCells((labels) => ({ labels, value: 0 }), labelsOf);
  return {
    add(amount, first, second = "") {
      cells.at(first, second).value += amount;
    },
    family: () => ({
      ...facts,
      kind: "counter",
      points: cells.list(({ labels, value }) => ({ labels, value })),
    }),
  };
}

export function createHistogram(facts: MetricFacts, bounds: readonly number[], labelsOf: LabelsOf): Histogram {
  const create = (labels: MetricLabels) => ({ labels, counts: new Array<number>(bounds.length + 1).fill(0), sum: 0 });
  const cells = createCells(create, labelsOf);
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
      points: cells.list(({ labels, counts, sum }) => ({ labels, counts: counts.slice(), sum })),
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
  /** In the order in which they were created. */
  list<Point>(point: (cell: Cell) => Point): readonly Point[];
}

/** Two levels of maps: no key is joined of two texts at each recording. */
function createCells<Cell>(create: (labels: MetricLabels) => Cell, labelsOf: LabelsOf): Cells<Cell> {
  const rows = new Map<string, Map<string, Cell>>();
  const cells: Cell[] = [];
  return {
    at(first, second) {
      const known = rows.get(first);
      const row = known ?? new Map<string, Cell>();
      if (known === undefined) rows.set(first, row);
      const found = row.get(second);
      if (found !== undefined) return found;
      const cell = create(labelsOf(first, second));
      row.set(second, cell);
      cells.push(cell);
      return cell;
    },
    list: (point) => cells.map(point),
  };
}
