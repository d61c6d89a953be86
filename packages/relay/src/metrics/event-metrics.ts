// The counters and histograms of events: their names, units, bounds and labels, of which each has a bounded number of
// values. Recording looks up one number, and creates nothing once its labels are known. The registry decides what is
// recorded.

import {
  COMMIT_SECONDS,
  COMMIT_SIZES,
  DELIVERY_SECONDS,
  HTTP_SECONDS,
  OVERDUE_SECONDS,
  MAX_LABEL_VALUES,
  OTHER,
} from "./limits.js";
import type { MetricLabels, HistogramFamily, MetricFacts, NumberFamily } from "./metrics-snapshot.js";

/** The name of the label of a destination. */
export const DESTINATION = "destination";

const FAULT = "error.type";

const STATUS = "http.response.status_code";

const POST: MetricLabels[number] = ["http.request.method", "POST"];

export type EventMetrics = ReturnType<typeof createCounters> & ReturnType<typeof createHistograms>;

/** All metrics of events, each without points. */
export function createEventMetrics(): EventMetrics {
  return { ...createCounters(), ...createHistograms() };
}

function createCounters(): Readonly<Record<CounterName, Counter>> {
  const counter = (name: string, help: string, ...names: readonly string[]): Counter =>
    createCounter({ name: `postrider.${name}`, help }, labelsNamed(...names));
  return {
    calls: counter("calls", "Calls, by what came of them.", "source", "outcome"),
    warnings: counter("call.warnings", "Warnings about calls that were accepted.", "source", "code"),
    deliveries: counter("deliveries", "Deliveries that have ended, by how.", DESTINATION, "outcome"),
    retries: counter("retries", "Rounds that ended with a further one to come.", DESTINATION),
    replays: counter("replays", "Deliveries that repeat an ended one.", DESTINATION),
    stale: counter("stale_settlements", "Settlements that had no effect, since the lease had ended.", DESTINATION),
    localFaults: counter("local_faults", "Rounds that had only faults of this machine.", DESTINATION),
    holds: counter("lane.holds", "How often a lane was held, since its receiver failed.", DESTINATION),
    storeFaults: counter("store.faults", "Failures of the store, by their code.", "code"),
    notifications: counter("notifications", "Notifications, by what became of them.", "notification", "outcome"),
    audienceChanges: counter("audience.changes", "Users who entered, left or changed by a sync.", "audience", "kind"),
  };
}

function createHistograms(): Readonly<Record<HistogramName, Histogram>> {
  const seconds = (name: string, help: string, bounds: readonly number[], labelsOf: LabelsOf): Histogram =>
    createHistogram({ name, help, unit: "s" }, bounds, labelsOf);
  const size = { name: "postrider.store.commit.size", help: "Calls and settlements that share one commit." };
  return {
    delivered: seconds(
      "postrider.delivery.duration",
      "From acceptance, or replay, until delivered.",
      DELIVERY_SECONDS,
      labelsNamed(DESTINATION),
    ),
    attempts: seconds(
      "http.client.request.duration",
      "Attempts, to their status or fault.",
      HTTP_SECONDS,
      attemptLabels,
    ),
    commits: seconds(
      "postrider.store.commit.duration",
      "Commits, from request to success.",
      COMMIT_SECONDS,
      labelsNamed(),
    ),
    commitSizes: createHistogram(size, COMMIT_SIZES, labelsNamed()),
    overdue: seconds(
      "postrider.claim.overdue",
      "How long the first delivery of a claim could have been claimed before.",
      OVERDUE_SECONDS,
      labelsNamed(),
    ),
    answers: seconds(
      "http.server.request.duration",
      "Requests to the HTTP fronts, from body to answer.",
      HTTP_SECONDS,
      labelsNamed("http.route", STATUS),
    ),
  };
}

type CounterName =
  | "calls"
  | "warnings"
  | "deliveries"
  | "retries"
  | "replays"
  | "stale"
  | "localFaults"
  | "holds"
  | "storeFaults"
  | "notifications"
  | "audienceChanges";

type HistogramName = "delivered" | "attempts" | "commits" | "commitSizes" | "overdue" | "answers";

/** Labels of these names, in this order: at most two. */
function labelsNamed(...names: readonly string[]): LabelsOf {
  return (...values) => names.map((name, index) => [name, values[index] ?? ""]);
}

/**
 * An attempt has a status, or the fault in place of one: no fault begins with a digit. Our label has a prefix, since the metric is one of
 * OpenTelemetry's conventions.
 */
function attemptLabels(destination: string, result: string): MetricLabels {
  return [["postrider.destination", destination], POST, [/^\d/.test(result) ? STATUS : FAULT, result]];
}

/** The labels of a point, from the two values that it was recorded with. */
type LabelsOf = (first: string, second: string) => MetricLabels;

interface Counter {
  add(amount: number, first: string, second?: string): void;
  family(): NumberFamily;
}

interface Histogram {
  /** A value below 0, as after a clock was set back, counts as 0. */
  record(value: number, first?: string, second?: string): void;
  family(): HistogramFamily;
}

function createCounter(facts: MetricFacts, labelsOf: LabelsOf): Counter {
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

function createHistogram(facts: MetricFacts, bounds: readonly number[], labelsOf: LabelsOf): Histogram {
  const create = (labels: MetricLabels) => ({ labels, counts: new Array<number>(bounds.length + 1).fill(0), sum: 0 });
  const cells = createCells(create, labelsOf);
  return {
    record(value, first = "", second = "") {
      const cell = cells.at(first, second);
      const sample = Math.max(0, value);
      const bucket = bucketOf(bounds, sample);
      cell.counts[bucket] = (cell.counts[bucket] ?? 0) + 1;
      cell.sum += sample;
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
      const existingRow = rows.get(first);
      const row = existingRow ?? new Map<string, Cell>();
      if (existingRow === undefined) rows.set(first, row);
      const existingCell = row.get(second);
      if (existingCell !== undefined) return existingCell;
      const cell = create(labelsOf(first, second));
      row.set(second, cell);
      cells.push(cell);
      return cell;
    },
    list: (point) => cells.map(point),
  };
}

/** The label of a text: the text itself, or `other` once `MAX_LABEL_VALUES` different texts have one. */
export type LabelOf = (text: string) => string;

/** A label without any value yet. A text keeps its label as long as the registry exists. */
export function createLabelValues(): LabelOf {
  const values = new Set<string>();
  return (text) => {
    if (values.has(text)) return text;
    if (values.size >= MAX_LABEL_VALUES) return OTHER;
    values.add(text);
    return text;
  };
}
