// An OpenTelemetry API of plain objects: it keeps what spans it is asked for, and throws or records nothing if it is told so.

import type { SpanAttributes, SpanHandle, SpanLink, SpanScope, TracingApi } from "@postrider/relay/metrics";

export interface FakeSpan {
  readonly name: string;
  /** The name of the tracer. */
  readonly scope: string;
  readonly kind: number | undefined;
  readonly startTime: readonly [number, number] | undefined;
  readonly parent: FakeSpan | undefined;
  readonly links: readonly SpanLink[];
  readonly attributes: SpanAttributes;
  endTime?: readonly [number, number] | undefined;
  isEnded: boolean;
  hasFailed: boolean;
}

export interface FakeTracing {
  readonly api: TracingApi;
  readonly spans: FakeSpan[];
}

/** `how`: whether spans are recorded; `throws`: starting one fails; `throws-later`: ending one fails. */
export function fakeTracing(how: "records" | "ignores" | "throws" | "throws-later" = "records"): FakeTracing {
  const spans: FakeSpan[] = [];
  const parents = new WeakMap<SpanScope, FakeSpan>();
  const handles = new WeakMap<SpanHandle, FakeSpan>();
  const newScope = (): SpanScope => ({ getValue: () => undefined });

  function handleOf(span: FakeSpan): SpanHandle {
    const number = spans.length.toString(16);
    const handle: SpanHandle = {
      spanContext: () => ({ traceId: number.padStart(32, "a"), spanId: number.padStart(16, "b"), traceFlags: 1 }),
      isRecording: () => how !== "ignores",
      setAttributes: (attributes) => Object.assign(span.attributes, attributes),
      setStatus: ({ code }) => {
        span.hasFailed = code === 2;
      },
      end: (endTime) => {
        if (how === "throws-later") throw new Error("the exporter has failed");
        span.endTime = endTime;
        span.isEnded = true;
      },
    };
    handles.set(handle, span);
    return handle;
  }

  return {
    spans,
    api: {
      ROOT_CONTEXT: newScope(),
      trace: {
        getTracer: (tracer) => ({
          startSpan: (name, settings, scope) => {
            if (how === "throws") throw new Error("the tracer has failed");
            const { attributes = {}, links = [], kind, startTime } = settings ?? {};
            const parent = scope && parents.get(scope);
            const about = { name, scope: tracer, kind, startTime, parent, links };
            const span: FakeSpan = { ...about, attributes: { ...attributes }, isEnded: false, hasFailed: false };
            spans.push(span);
            return handleOf(span);
          },
        }),
        setSpan: (_, handle) => {
          const scope = newScope();
          const span = handles.get(handle);
          if (span !== undefined) parents.set(scope, span);
          return scope;
        },
      },
    },
  };
}
