// Makes the spans of a round once it has ended, linked to the span of its call, with the times of the record. Until
// then gathers its attempts, and remembers ended rounds for a while, since attempts may end later; both are bounded.

import type { EpochMs } from "@postrider/core";
import { type AttemptEvent, attemptAttributes, hasFailed, roundAttributes, type RoundEndEvent } from "./attributes.js";
import {
  ERROR_STATUS,
  SPAN_KIND,
  type SpanScope,
  type SpanTime,
  type TracingApi,
  type SpanIds,
  type SpanLink,
} from "./tracing-api.js";
import { MAX_ENDED_ROUNDS, MAX_OPEN_ROUNDS } from "../limits.js";

/** The scope under which a backend shows the spans. */
export const SCOPE = "@postrider/relay/metrics";

/** An event of a delivery whose call has a recorded span. */
type Linked<Event> = Event & { readonly traceparent: string };

/** The fields that identify a round. */
type RoundKey = Pick<RoundEndEvent, "delivery" | "rounds">;

interface OpenRounds {
  readonly attempted: (event: Linked<AttemptEvent>) => void;
  /** A round had only local faults, whose attempts have no events. */
  readonly failedLocally: (event: Linked<RoundKey>) => void;
  readonly ended: (end: Linked<RoundEndEvent>) => void;
  /** The number of rounds that were given up before their end, since too many were open. */
  readonly dropped: () => number;
}

export function createOpenRounds(spans: RoundSpans): OpenRounds {
  const openAttempts = new Map<string, Linked<AttemptEvent>[]>();
  const endedScopes = new Map<string, SpanScope>();
  let dropped = 0;

  function openRound(key: string): Linked<AttemptEvent>[] {
    const existing = openAttempts.get(key);
    if (existing !== undefined) return existing;
    if (openAttempts.size >= MAX_OPEN_ROUNDS) {
      forgetOldest(openAttempts);
      dropped += 1;
    }
    const attempts: Linked<AttemptEvent>[] = [];
    openAttempts.set(key, attempts);
    return attempts;
  }

  return {
    attempted: (event): void => {
      const key = keyOf(event);
      // While a round is settled it is open still, and has its late attempts, too.
      if (event.isLate && !openAttempts.has(key)) spans.attempt(event, endedScopes.get(key));
      else openRound(key).push(event);
    },
    failedLocally: (event): void => {
      openRound(keyOf(event));
    },
    ended: (end): void => {
      const key = keyOf(end);
      const attempts = openAttempts.get(key);
      openAttempts.delete(key);
      // A claim that was released without an attempt was no round.
      if (attempts === undefined && end.kind === "released") return;
      const scope = spans.round(end, attempts ?? []);
      if (scope === undefined) return;
      if (endedScopes.size >= MAX_ENDED_ROUNDS) forgetOldest(endedScopes);
      endedScopes.set(key, scope);
    },
    dropped: () => dropped,
  };
}

function keyOf({ delivery, rounds }: RoundKey): string {
  return `${delivery} ${String(rounds)}`;
}

function forgetOldest(map: Map<string, unknown>): void {
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}

interface RoundSpans {
  /** Makes the spans of a round and of its attempts. Returns the scope of its late attempts; undefined if it is not recorded. */
  readonly round: (end: Linked<RoundEndEvent>, attempts: readonly Linked<AttemptEvent>[]) => SpanScope | undefined;
  /** Makes the span of an attempt below its round, or alone, with the link of the round, if that is not known any more. */
  readonly attempt: (event: Linked<AttemptEvent>, round: SpanScope | undefined) => void;
}

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

/** A round begins with its first attempt. Without one, only its end is known. */
function startOf(endedAt: EpochMs, attempts: readonly AttemptEvent[]): number {
  return attempts.length === 0 ? endedAt : Math.min(...attempts.map(({ attempt }) => attempt.startedAt));
}

function timeOf(ms: number): SpanTime {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, (ms - seconds * 1_000) * 1_000_000];
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

export function writeTraceparent({ traceId, spanId, traceFlags }: SpanIds): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}

/** A link to the span of a `traceparent`; none if a store has returned another text. */
function linksTo(traceparent: string): SpanLink[] {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return [];
  return [{ context: { traceId, spanId, traceFlags: Number.parseInt(flags, 16) } }];
}
