// Makes OpenTelemetry's spans of what a relay does: one for each arrival, by way of `wrap`, and those of rounds and attempts
// afterwards, of the events of `observe`. Only deliveries of calls whose span was recorded have any (decision: tracing).

import type { Relay, RelayEvent } from "@postrider/relay";
import { createOpenRounds } from "./open-rounds.js";
import { createRoundSpans, SCOPE } from "./round-spans.js";
import { tracedAccept } from "./traced-accept.js";
import type { TracingApi } from "./tracing-api.js";

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
