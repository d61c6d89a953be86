// Has OpenTelemetry's SDK read a metric producer, beside a counter of the SDK, as a reader that exports would.

import { AggregationTemporality, DataPointType, MeterProvider, MetricReader } from "@opentelemetry/sdk-metrics";

class Reader extends MetricReader {
  onShutdown() {
    return Promise.resolve();
  }
  onForceFlush() {
    return Promise.resolve();
  }
}

/** All metrics that the SDK reads, by their names; `own` is a counter of the SDK. */
export async function readMetrics(producer) {
  const reader = new Reader({ metricProducers: [producer] });
  const provider = new MeterProvider({ readers: [reader] });
  provider.getMeter("own").createCounter("own").add(3);
  const { resourceMetrics, errors } = await reader.collect();
  await provider.shutdown();
  const metrics = resourceMetrics.scopeMetrics.flatMap(({ scope, metrics: read }) =>
    read.map(({ descriptor, dataPointType, aggregationTemporality, dataPoints }) => ({
      scope: scope.name,
      name: descriptor.name,
      unit: descriptor.unit,
      kind: DataPointType[dataPointType],
      temporality: AggregationTemporality[aggregationTemporality],
      points: dataPoints,
    })),
  );
  return { resource: resourceMetrics.resource.attributes, errors, metrics };
}
