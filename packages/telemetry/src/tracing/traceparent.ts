// Writes the ids of a span as a W3C `traceparent`, and reads them from one. Whether it is worth storing is decided by core.

import type { SpanIds, SpanLink } from "./tracing-api.js";

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

export function writeTraceparent({ traceId, spanId, traceFlags }: SpanIds): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}

/** A link to the span of a `traceparent`; none if a store has returned another text. */
export function linksTo(traceparent: string): SpanLink[] {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return [];
  return [{ context: { traceId, spanId, traceFlags: Number.parseInt(flags, 16) } }];
}
