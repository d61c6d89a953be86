// The parts of `@opentelemetry/api` that spans are made by, as structural types: nothing of OpenTelemetry is imported, and a test
// compares these types with the real ones.

/** `@opentelemetry/api` itself: `import * as opentelemetry from "@opentelemetry/api"`. */
export interface TracingApi {
  readonly trace: {
    getTracer(name: string): SpanTracer;
    setSpan(context: SpanScope, span: SpanHandle): SpanScope;
  };
  readonly ROOT_CONTEXT: SpanScope;
}

/** A `Tracer`. */
export interface SpanTracer {
  /** Without a context, the span is a child of the active span of the host. */
  startSpan(name: string, settings?: SpanSettings, context?: SpanScope): SpanHandle;
}

/** A `Context`. */
export interface SpanScope {
  getValue(key: symbol): unknown;
}

/** A `Span`. */
export interface SpanHandle {
  spanContext(): SpanIds;
  isRecording(): boolean;
  setAttributes(attributes: SpanAttributes): unknown;
  setStatus(status: { code: number }): unknown;
  end(endTime?: SpanTime): void;
}

/** A `SpanContext`. */
export interface SpanIds {
  traceId: string;
  spanId: string;
  traceFlags: number;
}

/** A `SpanOptions`, with the numbers of `SpanKind`. */
interface SpanSettings {
  kind: number;
  attributes: SpanAttributes;
  links?: SpanLink[];
  startTime?: SpanTime;
}

/** A `Link`. */
export interface SpanLink {
  context: SpanIds;
}

/** An `HrTime`: seconds and nanoseconds since 1970. */
export type SpanTime = [number, number];

/** Ids, codes and numbers: never a user's id, a body, a secret, or the query of a URL. */
export type SpanAttributes = Record<string, string | number | boolean>;

/** The numbers of `SpanKind`. */
export const SPAN_KIND = { client: 2, producer: 3, consumer: 4 } as const;

/** `ERROR` of `SpanStatusCode`. */
export const ERROR_STATUS = 2;
