// Sets up OpenTelemetry's SDK as a host would, with an exporter that keeps spans in memory, and shows them as plain data.

import * as opentelemetry from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  InMemorySpanExporter,
  ParentBasedSampler,
  SimpleSpanProcessor,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-base";

export { opentelemetry };

/** The default sampler of the SDK, for this share of all traces. */
export function sharedSampler(share) {
  return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) });
}

/** Registers a provider as the global one. There is one at a time: `stop` removes it. */
export function recordSpans(sampler = new AlwaysOnSampler()) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ sampler, spanProcessors: [new SimpleSpanProcessor(exporter)] });
  opentelemetry.trace.setGlobalTracerProvider(provider);
  opentelemetry.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return {
    spans: () => exporter.getFinishedSpans().map(shown),
    stop: async () => {
      opentelemetry.trace.disable();
      opentelemetry.context.disable();
      await provider.shutdown();
    },
  };
}

/** Registers a provider as a host has it in production, with spans exported in batches, to an exporter that only counts them. */
export function countSpans(sampler) {
  let exported = 0;
  const exporter = {
    export: (spans, done) => {
      exported += spans.length;
      done({ code: 0 });
    },
    shutdown: () => Promise.resolve(),
  };
  const provider = new BasicTracerProvider({ sampler, spanProcessors: [new BatchSpanProcessor(exporter)] });
  opentelemetry.trace.setGlobalTracerProvider(provider);
  opentelemetry.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return { opentelemetry, exported: () => exported, stop: () => provider.shutdown() };
}

/** Runs in a span of the host, which is active meanwhile; answers what it returned. */
export async function inHostSpan(name, run) {
  return opentelemetry.trace.getTracer("host").startActiveSpan(name, async (span) => {
    try {
      return await run();
    } finally {
      span.end();
    }
  });
}

function shown(span) {
  const { traceId, spanId } = span.spanContext();
  return {
    name: span.name,
    kind: opentelemetry.SpanKind[span.kind],
    scope: span.instrumentationScope.name,
    traceId,
    id: spanId,
    parent: span.parentSpanContext?.spanId,
    links: span.links.map(({ context }) => context.spanId),
    attributes: { ...span.attributes },
    hasFailed: span.status.code === opentelemetry.SpanStatusCode.ERROR,
    startMs: millisecondsOf(span.startTime),
    endMs: millisecondsOf(span.endTime),
  };
}

function millisecondsOf([seconds, nanoseconds]) {
  return seconds * 1_000 + nanoseconds / 1_000_000;
}
