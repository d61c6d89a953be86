// The contents of a registry at one moment, as data that any exposition can be written from.

/** All metrics at one moment. It does not change afterwards. */
export interface MetricsSnapshot {
  /** In a fixed order; a family without points has no values yet. */
  readonly families: readonly MetricFamily[];
}

/** One metric, with its points. */
export type MetricFamily = NumberFamily | HistogramFamily;

/** The name and the meaning of a metric. */
export interface MetricFacts {
  /** The name by OpenTelemetry's rules, such as `postrider.delivery.duration`: without a unit, and without `_total`. */
  readonly name: string;
  readonly help: string;
  /** Absent if it is a count of what its name says, or 0 or 1. */
  readonly unit?: MetricUnit;
}

/** Seconds or bytes. */
type MetricUnit = "s" | "By";

/** Counts since the registry was created, or values of one moment. */
export interface NumberFamily extends MetricFacts {
  readonly kind: "counter" | "gauge";
  readonly points: readonly NumberPoint[];
}

/** Counts of values between fixed bounds. */
export interface HistogramFamily extends MetricFacts {
  readonly kind: "histogram";
  /** The upper bounds of all buckets but the last, ascending; a value that equals a bound is in its bucket. */
  readonly bounds: readonly number[];
  readonly points: readonly HistogramPoint[];
}

/** The labels of a point: names with dots, as OpenTelemetry writes them, and their values. */
export type MetricLabels = readonly (readonly [name: string, value: string])[];

/** One number of a family. */
export interface NumberPoint {
  readonly labels: MetricLabels;
  readonly value: number;
}

/** One distribution of a family. */
interface HistogramPoint {
  readonly labels: MetricLabels;
  /** The number of values in each bucket: one more than there are bounds, and not cumulative. */
  readonly counts: readonly number[];
  readonly sum: number;
}
