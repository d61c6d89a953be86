// The public exports of relay/metrics.

export type {
  HistogramFamily,
  HistogramPoint,
  MetricFacts,
  MetricFamily,
  MetricLabels,
  MetricsSnapshot,
  MetricUnit,
  NumberFamily,
  NumberPoint,
} from "./metrics-snapshot.js";
export {
  createMetricProducer,
  type MetricSource,
  type NoResource,
  type ProducedBase,
  type ProducedHistogram,
  type ProducedMetric,
  type ProducedMetrics,
  type ProducedPoint,
  type ProducedScope,
  type TelemetryProducer,
} from "./metric-producer.js";
export { createRegistry, type Registry } from "./registry.js";
export { PROMETHEUS_CONTENT_TYPE } from "./exposition-format.js";
export { exposeMetrics, type Exposition, renderPrometheus } from "./render-prometheus.js";
export { createSeries, type Series } from "./series/create-series.js";
export type {
  CountedOutcome,
  LaneSeries,
  SeriesColumn,
  SeriesPage,
  SeriesQuery,
  SeriesStep,
} from "./series/series-page.js";
export { createDeliverySampler, type SpanSampler } from "./tracing/delivery-sampler.js";
export { createTracing, type Tracing } from "./tracing/create-tracing.js";
export type {
  SpanAttributes,
  SpanHandle,
  SpanIds,
  SpanLink,
  SpanScope,
  SpanSettings,
  SpanTime,
  SpanTracer,
  TracingApi,
} from "./tracing/tracing-api.js";
