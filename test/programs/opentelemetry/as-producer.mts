// Compiled by a test: what `createMetricProducer` returns is a `MetricProducer` for the type checker too.

import type { MetricProducer } from "@opentelemetry/sdk-metrics";
import type { TelemetryProducer } from "../../../packages/telemetry/dist/index.js";

declare const ours: TelemetryProducer;

export const theirs: MetricProducer = ours;
