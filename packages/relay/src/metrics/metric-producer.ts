// Hands the metrics of a registry to OpenTelemetry's SDK, as a metric producer: the readers of the SDK collect it beside other
// metrics. Imports nothing of OpenTelemetry: its types are structural, and so are those here.

import type { Clock, EpochMs, LaneStatus } from "@postrider/core";
import type { HistogramFamily, MetricFamily, MetricLabels, NumberFamily } from "./metrics-snapshot.js";
import type { Registry } from "./registry.js";
import { MS_PER_SECOND } from "./limits.js";

/** The source of the metrics: a registry, the lanes of its relay, and the clock of that relay. */
interface MetricSource {
  readonly registry: Pick<Registry, "snapshot">;
  /** `relay.lanes`. */
  readonly lanes: () => readonly LaneStatus[];
  readonly clock: Pick<Clock, "wall">;
}

/** A `MetricProducer` of `@opentelemetry/sdk-metrics`, by its structure. */
interface TelemetryProducer {
  collect(): Promise<ProducedMetrics>;
}

/** A `CollectionResult` of `@opentelemetry/sdk-metrics`. */
interface ProducedMetrics {
  readonly resourceMetrics: { resource: NoResource; scopeMetrics: ProducedScope[] };
  readonly errors: unknown[];
}

/** A `Resource` without attributes: readers take that of their SDK. */
interface NoResource {
  readonly attributes: Record<string, never>;
  merge<Other>(other: Other | null): Other;
  getRawAttributes(): [string, string][];
}

/** A `ScopeMetrics`. */
interface ProducedScope {
  scope: { readonly name: string };
  metrics: ProducedMetric[];
}

/** A `MetricData`, with the numbers of OpenTelemetry's enumerations. */
type ProducedMetric =
  | (ProducedBase & {
      readonly dataPointType: 3;
      readonly isMonotonic: true;
      readonly dataPoints: ProducedPoint<number>[];
    })
  | (ProducedBase & { readonly dataPointType: 2; readonly dataPoints: ProducedPoint<number>[] })
  | (ProducedBase & { readonly dataPointType: 0; readonly dataPoints: ProducedPoint<ProducedHistogram>[] });

/** The fields of all metrics. */
interface ProducedBase {
  readonly descriptor: {
    readonly name: string;
    readonly description: string;
    readonly unit: string;
    readonly valueType: 1;
  };
  /** Cumulative: since the producer was created. */
  readonly aggregationTemporality: 1;
}

/** A `DataPoint`. Times are seconds and nanoseconds since 1970. */
interface ProducedPoint<Value> {
  readonly startTime: [number, number];
  readonly endTime: [number, number];
  readonly attributes: Record<string, string>;
  readonly value: Value;
}

/** A `Histogram`. */
interface ProducedHistogram {
  readonly buckets: { boundaries: number[]; counts: number[] };
  readonly sum: number;
  readonly count: number;
}

const SCOPE = "@postrider/relay/metrics";

const SUM = 3;
const GAUGE = 2;
const HISTOGRAM = 0;
const DOUBLE = 1;
const CUMULATIVE = 1;

const NO_RESOURCE: NoResource = {
  attributes: {},
  // The resource of a producer is merged into that of a reader, which is never absent.
  merge: <Other>(other: Other | null) => other as Other,
  getRawAttributes: () => [],
};

/**
 * Creates a producer for the `metricProducers` of a reader. All points start at the time of this call, so create
 * it together with the registry. Names, units and
 * labels are those of the snapshot; a family without points is left out.
 */
export function createMetricProducer({ registry, lanes, clock }: MetricSource): TelemetryProducer {
  const startTime = timeOf(clock.wall());
  return {
    collect: () => {
      const wallMs = clock.wall();
      const { families } = registry.snapshot(lanes(), wallMs);
      const period = { startTime, endTime: timeOf(wallMs) };
      const metrics = families.filter(({ points }) => points.length > 0).map((family) => produced(family, period));
      return Promise.resolve({
        resourceMetrics: { resource: NO_RESOURCE, scopeMetrics: [{ scope: { name: SCOPE }, metrics }] },
        errors: [],
      });
    },
  };
}

type Period = Pick<ProducedPoint<unknown>, "startTime" | "endTime">;

function produced(family: MetricFamily, period: Period): ProducedMetric {
  const { name, help, unit = "1" } = family;
  const descriptor = { name, description: help, unit, valueType: DOUBLE } as const;
  const base = { descriptor, aggregationTemporality: CUMULATIVE } as const;
  switch (family.kind) {
    case "counter":
      return { ...base, dataPointType: SUM, isMonotonic: true, dataPoints: numberPoints(family, period) };
    case "gauge":
      return { ...base, dataPointType: GAUGE, dataPoints: numberPoints(family, period) };
    case "histogram":
      return { ...base, dataPointType: HISTOGRAM, dataPoints: histogramPoints(family, period) };
  }
}

function numberPoints({ points }: NumberFamily, period: Period): ProducedPoint<number>[] {
  return points.map(({ labels, value }) => ({ ...period, attributes: attributesOf(labels), value }));
}

function histogramPoints({ bounds, points }: HistogramFamily, period: Period): ProducedPoint<ProducedHistogram>[] {
  return points.map(({ labels, counts, sum }) => {
    const count = counts.reduce((total, inBucket) => total + inBucket, 0);
    const value = { buckets: { boundaries: [...bounds], counts: [...counts] }, sum, count };
    return { ...period, attributes: attributesOf(labels), value };
  });
}

function attributesOf(labels: MetricLabels): Record<string, string> {
  return Object.fromEntries(labels);
}

function timeOf(at: EpochMs): [number, number] {
  const seconds = Math.floor(at / MS_PER_SECOND);
  return [seconds, (at - seconds * MS_PER_SECOND) * 1_000_000];
}
