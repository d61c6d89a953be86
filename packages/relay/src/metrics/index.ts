// The public exports of relay/metrics.

export type { MetricFacts, MetricFamily, MetricLabels, MetricsSnapshot, NumberFamily } from "./metrics-snapshot.js";
export { createMetricProducer } from "./metric-producer.js";
export { createRegistry, type Registry } from "./registry.js";
export { PROMETHEUS_CONTENT_TYPE } from "./exposition-format.js";
export { exposeMetrics, renderPrometheus } from "./render-prometheus.js";
export { createSeries, type Series } from "./series/create-series.js";
export type { SeriesColumn, SeriesPage, SeriesQuery, SeriesStep } from "./series/series-page.js";
export { createDeliverySampler, type SpanSampler } from "./tracing/delivery-sampler.js";
export { createTracing, type Tracing } from "./tracing/create-tracing.js";
export type { SpanAttributes, SpanHandle, SpanLink, SpanScope, SpanTracer, TracingApi } from "./tracing/tracing-api.js";
