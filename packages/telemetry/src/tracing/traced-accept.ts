// Makes the span of an arrival: `send postrider`, a child of the host's active span, which ends when the calls are stored or
// refused. Its `traceparent` goes with the calls. Whatever a tracer throws has no effect on the calls.

import type { Receipt } from "@postrider/core";
import type { Arrival, Relay, RelayFault } from "@postrider/relay";
import { sentAttributes } from "./attributes.js";
import { ERROR_STATUS, SPAN_KIND, type SpanAttributes, type SpanHandle, type SpanTracer } from "./tracing-api.js";
import { writeTraceparent } from "./traceparent.js";

export type AcceptCalls = Relay["accept"];

/** An `accept` with spans over one without. A span that is not recorded costs nothing but the question. */
export function tracedAccept(tracer: SpanTracer, accept: AcceptCalls): AcceptCalls {
  return (arrival) => {
    const span = startSpan(tracer, arrival);
    if (span === undefined) return accept(arrival);
    const answered = accept({ ...arrival, traceparent: writeTraceparent(span.spanContext()) });
    void answered.match(
      (receipts) => endAnswered(span, receipts),
      (fault) => endFailed(span, fault),
    );
    return answered;
  };
}

/** Undefined if the span is not recorded. */
function startSpan(tracer: SpanTracer, arrival: Arrival): SpanHandle | undefined {
  try {
    const span = tracer.startSpan("send postrider", { kind: SPAN_KIND.producer, attributes: sentAttributes(arrival) });
    return span.isRecording() ? span : undefined;
  } catch {
    return undefined;
  }
}

function endAnswered(span: SpanHandle, receipts: readonly Receipt[]): void {
  const counts: SpanAttributes = {};
  for (const { kind } of receipts) {
    const name = `postrider.calls.${kind}`;
    counts[name] = Number(counts[name] ?? 0) + 1;
  }
  end(span, counts);
}

function endFailed(span: SpanHandle, { code }: RelayFault): void {
  end(span, { "error.type": code }, true);
}

function end(span: SpanHandle, attributes: SpanAttributes, hasFailed = false): void {
  try {
    span.setAttributes(attributes);
    if (hasFailed) span.setStatus({ code: ERROR_STATUS });
    span.end();
  } catch {
    // The calls were answered, whatever becomes of the span.
  }
}
