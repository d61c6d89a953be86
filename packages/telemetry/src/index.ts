// The public interface of the package.

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
export { createRegistry, type Registry } from "./registry.js";
export { PROMETHEUS_CONTENT_TYPE, renderPrometheus } from "./render-prometheus.js";
