// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/relay/metrics` exports.

import type { Clock, EpochMs, LaneStatus } from "@postrider/core";
import type { Relay, RelayEvent } from "@postrider/relay";

export interface MetricFacts {
  readonly name: string;
  readonly help: string;
  readonly unit?: MetricUnit;
}

export type MetricFamily = NumberFamily | HistogramFamily;

export type MetricLabels = readonly (readonly [name: string, value: string])[];

export interface MetricsSnapshot {
  readonly families: readonly MetricFamily[];
}

export interface NumberFamily extends MetricFacts {
  readonly kind: "counter" | "gauge";
  readonly points: readonly NumberPoint[];
}

export declare const PROMETHEUS_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export interface Registry {
  readonly observe: (event: RelayEvent) => void;
  snapshot(lanes: readonly LaneStatus[], now: EpochMs): MetricsSnapshot;
}

export interface Series {
  take(snapshot: MetricsSnapshot, now: EpochMs): void;
  readonly read: (query: SeriesQuery) => SeriesPage;
}

export type SeriesColumn = readonly (number | null)[];

export interface SeriesPage {
  readonly step: SeriesStep;
  readonly from: EpochMs;
  readonly until: EpochMs;
  readonly calls: Readonly<Record<CountedOutcome, SeriesColumn>>;
  readonly destination: LaneSeries | undefined;
}

export interface SeriesQuery {
  readonly step: SeriesStep;
  readonly destination?: string | undefined;
  readonly since?: EpochMs | undefined;
}

export type SeriesStep = 10 | 300;

export type SpanAttributes = Record<string, string | number | boolean>;

export interface SpanHandle {
  spanContext(): SpanIds;
  isRecording(): boolean;
  setAttributes(attributes: SpanAttributes): unknown;
  setStatus(status: { code: number }): unknown;
  end(endTime?: SpanTime): void;
}

export interface SpanLink {
  context: SpanIds;
}

export interface SpanSampler {
  shouldSample(
    context: object,
    traceId: string,
    spanName: string,
    spanKind: number,
    attributes: Readonly<Record<string, unknown>>,
    links: object[],
  ): {
    decision: number;
  };
  toString(): string;
}

export interface SpanScope {
  getValue(key: symbol): unknown;
}

export interface SpanTracer {
  startSpan(name: string, settings?: SpanSettings, context?: SpanScope): SpanHandle;
}

export interface Tracing {
  readonly observe: (event: RelayEvent) => void;
  wrap<Accepting extends Pick<Relay, "accept">>(relay: Accepting): Accepting;
  readonly dropped: () => number;
}

export interface TracingApi {
  readonly trace: {
    getTracer(name: string): SpanTracer;
    setSpan(context: SpanScope, span: SpanHandle): SpanScope;
  };
  readonly ROOT_CONTEXT: SpanScope;
}

export declare function createDeliverySampler(others: SpanSampler): SpanSampler;

export declare function createMetricProducer({ registry, lanes, clock }: MetricSource): TelemetryProducer;

export declare function createRegistry(): Registry;

export declare function createSeries(): Series;

export declare function createTracing(api: TracingApi): Tracing;

export declare function exposeMetrics(snapshot: MetricsSnapshot, accept: string | undefined): Exposition;

export declare function renderPrometheus(snapshot: MetricsSnapshot): string;

// Not exported by name, but part of what is.

declare const COUNTED_OUTCOMES: readonly ["accepted", "filtered", "duplicate", "suppressed", "refused", "shed"];

type CountedOutcome = (typeof COUNTED_OUTCOMES)[number];

interface Exposition {
  readonly contentType: string;
  readonly body: Uint8Array;
}

interface HistogramFamily extends MetricFacts {
  readonly kind: "histogram";
  readonly bounds: readonly number[];
  readonly points: readonly HistogramPoint[];
}

interface HistogramPoint {
  readonly labels: MetricLabels;
  readonly counts: readonly number[];
  readonly sum: number;
}

interface LaneSeries {
  readonly delivered: SeriesColumn;
  readonly retries: SeriesColumn;
  readonly dead: SeriesColumn;
  readonly waiting: SeriesColumn;
  readonly deliveryP50: SeriesColumn;
  readonly deliveryP99: SeriesColumn;
  readonly requestP50: SeriesColumn;
  readonly requestP99: SeriesColumn;
}

interface MetricSource {
  readonly registry: Pick<Registry, "snapshot">;
  readonly lanes: () => readonly LaneStatus[];
  readonly clock: Pick<Clock, "wall">;
}

type MetricUnit = "s" | "By";

interface NoResource {
  readonly attributes: Record<string, never>;
  merge<Other>(other: Other | null): Other;
  getRawAttributes(): [string, string][];
}

interface NumberPoint {
  readonly labels: MetricLabels;
  readonly value: number;
}

interface ProducedBase {
  readonly descriptor: {
    readonly name: string;
    readonly description: string;
    readonly unit: string;
    readonly valueType: 1;
  };
  readonly aggregationTemporality: 1;
}

interface ProducedHistogram {
  readonly buckets: {
    boundaries: number[];
    counts: number[];
  };
  readonly sum: number;
  readonly count: number;
}

type ProducedMetric =
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

interface ProducedMetrics {
  readonly resourceMetrics: {
    resource: NoResource;
    scopeMetrics: ProducedScope[];
  };
  readonly errors: unknown[];
}

interface ProducedPoint<Value> {
  readonly startTime: [number, number];
  readonly endTime: [number, number];
  readonly attributes: Record<string, string>;
  readonly value: Value;
}

interface ProducedScope {
  scope: {
    readonly name: string;
  };
  metrics: ProducedMetric[];
}

interface SpanIds {
  traceId: string;
  spanId: string;
  traceFlags: number;
}

interface SpanSettings {
  kind: number;
  attributes: SpanAttributes;
  links?: SpanLink[];
  startTime?: SpanTime;
}

type SpanTime = [number, number];

interface TelemetryProducer {
  collect(): Promise<ProducedMetrics>;
}

export {};
