// Reads the `traceparent` that a host gives with its calls (W3C Trace Context, version 00). Decides which one is worth storing: a
// valid one of a span that is recorded, since a link to any other leads nowhere (decision: tracing).

/** Version, trace id, span id and flags, in lower case; neither id may be zero. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/;
const SAMPLED = 1;

/** The text as it was given, if it is a `traceparent` of a sampled span; undefined otherwise. */
export function sampledTraceparent(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  const flags = TRACEPARENT.exec(text)?.[1];
  if (flags === undefined) return undefined;
  return (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED ? text : undefined;
}
