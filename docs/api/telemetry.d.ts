// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/telemetry` exports.

import type { Clock, EpochMs, LaneStatus } from "@postrider/core";
import type { RelayEvent } from "@postrider/relay";

export interface Exposition {
  readonly contentType: string;
  readonly body: Uint8Array;
}

export interface HistogramFamily extends MetricFacts {
  readonly kind: "histogram";
  readonly bounds: readonly number[];
  readonly points: readonly HistogramPoint[];
}

export interface HistogramPoint {
  readonly labels: MetricLabels;
  readonly counts: readonly number[];
  readonly sum: number;
}

export interface MetricFacts {
  readonly name: string;
  readonly help: string;
  readonly unit?: MetricUnit;
}

export type MetricFamily = NumberFamily | HistogramFamily;

export type MetricLabels = readonly (readonly [name: string, value: string])[];

export interface MetricSource {
  readonly registry: Pick<Registry, "snapshot">;
  readonly lanes: () => readonly LaneStatus[];
  readonly clock: Pick<Clock, "wall">;
}

export type MetricUnit = "s" | "By";

export interface MetricsSnapshot {
  readonly families: readonly MetricFamily[];
}

export interface NoResource {
  readonly attributes: Record<string, never>;
  merge<Other>(other: Other | null): Other;
  getRawAttributes(): [string, string][];
}

export interface NumberFamily extends MetricFacts {
  readonly kind: "counter" | "gauge";
  readonly points: readonly NumberPoint[];
}

export interface NumberPoint {
  readonly labels: MetricLabels;
  readonly value: number;
}

export declare const PROMETHEUS_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export interface ProducedBase {
  readonly descriptor: {
    readonly name: string;
    readonly description: string;
    readonly unit: string;
    readonly valueType: 1;
  };
  readonly aggregationTemporality: 1;
}

export interface ProducedHistogram {
  readonly buckets: {
    boundaries: number[];
    counts: number[];
  };
  readonly sum: number;
  readonly count: number;
}

export type ProducedMetric =
  | (ProducedBase & {
      readonly dataPointType: 3;
      readonly isMonotonic: true;
      readonly dataPoints: ProducedPoint<number>[];
    })
  | (ProducedBase & {
      readonly dataPointType: 2;
      readonly dataPoints: ProducedPoint<number>[];
    })
  | (ProducedBase & {
      readonly dataPointType: 0;
      readonly dataPoints: ProducedPoint<ProducedHistogram>[];
    });

export interface ProducedMetrics {
  readonly resourceMetrics: {
    resource: NoResource;
    scopeMetrics: ProducedScope[];
  };
  readonly errors: unknown[];
}

export interface ProducedPoint<Value> {
  readonly startTime: [number, number];
  readonly endTime: [number, number];
  readonly attributes: Record<string, string>;
  readonly value: Value;
}

export interface ProducedScope {
  scope: {
    readonly name: string;
  };
  metrics: ProducedMetric[];
}

export interface Registry {
  readonly observe: (event: RelayEvent) => void;
  snapshot(lanes: readonly LaneStatus[], now: EpochMs): MetricsSnapshot;
}

export interface TelemetryProducer {
  collect(): Promise<ProducedMetrics>;
}

export declare function createMetricProducer({ registry, lanes, clock }: MetricSource): TelemetryProducer;

export declare function createRegistry(): Registry;

export declare function exposeMetrics(snapshot: MetricsSnapshot, accept: string | undefined): Exposition;

export declare function renderPrometheus(snapshot: MetricsSnapshot): string;

export {};
