// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/telemetry` exports.

import type { EpochMs, LaneStatus } from "@postrider/core";
import type { RelayEvent } from "@postrider/relay";

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

export type MetricUnit = "s" | "By";

export interface MetricsSnapshot {
  readonly families: readonly MetricFamily[];
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

export interface Registry {
  observe(event: RelayEvent): void;
  snapshot(lanes: readonly LaneStatus[], now: EpochMs): MetricsSnapshot;
}

export declare function createRegistry(): Registry;

export declare function renderPrometheus({ families }: MetricsSnapshot): string;

export {};
