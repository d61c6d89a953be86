// Makes OpenTelemetry's spans of the work of a relay (decision: tracing): `wrap` makes one for each arrival, and sends its `traceparent`
// with the calls; `observe` makes those of the rounds of recorded calls from events. An exception of a tracer has no effect on the calls.

import type { Relay, RelayEvent, Arrival, RelayFault } from "../../index.js";
import type { Receipt } from "@postrider/core";
import { createOpenRounds, createRoundSpans, SCOPE, writeTraceparent } from "./round-spans.js";
import {
  type TracingApi,
  ERROR_STATUS,
  SPAN_KIND,
  type SpanAttributes,
  type SpanHandle,
  type SpanTracer,
} from "./tracing-api.js";
import { sentAttributes } from "./attributes.js";

/** Spans of a relay: `observe` is for its options, `wrap` for what it returns. */
export interface Tracing {
  /** Takes each event of the relay. */
  readonly observe: (event: RelayEvent) => void;
  /** The same relay, with a span for each `accept`, under the span that is active when it is called. */
  wrap<Accepting extends Pick<Relay, "accept">>(relay: Accepting): Accepting;
  /** The number of rounds without spans, since more than `MAX_OPEN_ROUNDS` were open at once. */
  readonly dropped: () => number;
}

/** `api` is `@opentelemetry/api`, by whose global provider, sampler and exporter the host has decided where spans go. */
export function createTracing(api: TracingApi): Tracing {
  const tracer = api.trace.getTracer(SCOPE);
  const rounds = createOpenRounds(createRoundSpans(api));
  return {
    observe: (event): void => {
      if (!isLinked(event)) return;
      switch (event.kind) {
        case "attempted":
          rounds.attempted(event);
          return;
        case "local-fault":
          rounds.failedLocally(event);
          return;
        case "delivered":
        case "rescheduled":
        case "released":
        case "died":
        case "stale":
          rounds.ended(event);
          return;
        case "replayed":
        case "schedule-fault":
          return;
      }
    },
    wrap: (relay) => ({ ...relay, accept: tracedAccept(tracer, (arrival) => relay.accept(arrival)) }),
    dropped: rounds.dropped,
  };
}

type LinkedEvent = Extract<RelayEvent, { readonly delivery: unknown }> & { readonly traceparent: string };

function isLinked(event: RelayEvent): event is LinkedEvent {
  return "traceparent" in event;
}

type AcceptCalls = Relay["accept"];

/** An `accept` with spans over one without. A span that is not recorded costs nothing but the question. */
function tracedAccept(tracer: SpanTracer, accept: AcceptCalls): AcceptCalls {
  return (arrival) => {
    const span = startSpan(tracer, arrival);
    if (span === undefined) return accept(arrival);
    const answer = accept({ ...arrival, traceparent: writeTraceparent(span.spanContext()) });
    void answer.match(
      (receipts) => endAnswered(span, receipts),
      (fault) => endFailed(span, fault),
    );
    return answer;
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
