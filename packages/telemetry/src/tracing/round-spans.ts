// Makes the spans of a round once it has ended: `process DESTINATION`, linked to the span of its call, and below it `POST` for each
// attempt. Their times are those of the record, so that nothing is measured while requests are under way.

import type { EpochMs } from "@postrider/core";
import { type AttemptEvent, attemptAttributes, hasFailed, roundAttributes, type RoundEndEvent } from "./attributes.js";
import { ERROR_STATUS, SPAN_KIND, type SpanScope, type SpanTime, type TracingApi } from "./tracing-api.js";
import { linksTo } from "./traceparent.js";

/** An event of a delivery whose call has a recorded span. */
export type Linked<Event> = Event & { readonly traceparent: string };

export interface RoundSpans {
  /** Makes the spans of a round and of its attempts. Returns the place of later attempts; undefined if it is not recorded. */
  readonly round: (end: Linked<RoundEndEvent>, attempts: readonly Linked<AttemptEvent>[]) => SpanScope | undefined;
  /** Makes the span of an attempt below its round, or alone, with the link of the round, if that is not known any more. */
  readonly attempt: (event: Linked<AttemptEvent>, round: SpanScope | undefined) => void;
}

/** The scope under which a backend shows the spans. */
export const SCOPE = "@postrider/telemetry";

export function createRoundSpans({ trace, ROOT_CONTEXT }: TracingApi): RoundSpans {
  const tracer = trace.getTracer(SCOPE);

  function attemptSpan(event: Linked<AttemptEvent>, round: SpanScope | undefined): void {
    const { startedAt, durationMs, verdict } = event.attempt;
    const settings = { kind: SPAN_KIND.client, attributes: attemptAttributes(event), startTime: timeOf(startedAt) };
    const links = round === undefined ? { links: linksTo(event.traceparent) } : {};
    const span = tracer.startSpan("POST", { ...settings, ...links }, round ?? ROOT_CONTEXT);
    if (verdict !== "success") span.setStatus({ code: ERROR_STATUS });
    span.end(timeOf(startedAt + durationMs));
  }

  return {
    round: (end, attempts) => {
      const startedAt = startOf(end.at, attempts);
      const settings = { kind: SPAN_KIND.consumer, attributes: roundAttributes(end), links: linksTo(end.traceparent) };
      // The round may end in a context of the host, such as that of another call: it is a root all the same.
      const name = `process ${end.destination}`;
      const span = tracer.startSpan(name, { ...settings, startTime: timeOf(startedAt) }, ROOT_CONTEXT);
      const scope = span.isRecording() ? trace.setSpan(ROOT_CONTEXT, span) : undefined;
      if (scope !== undefined) for (const attempt of attempts) attemptSpan(attempt, scope);
      if (hasFailed(end)) span.setStatus({ code: ERROR_STATUS });
      span.end(timeOf(Math.max(startedAt, end.at)));
      return scope;
    },
    attempt: attemptSpan,
  };
}

/** A round begins with its first attempt. Without one, all is known of one moment only. */
function startOf(endedAt: EpochMs, attempts: readonly AttemptEvent[]): number {
  return attempts.length === 0 ? endedAt : Math.min(...attempts.map(({ attempt }) => attempt.startedAt));
}

function timeOf(ms: number): SpanTime {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, (ms - seconds * 1_000) * 1_000_000];
}
