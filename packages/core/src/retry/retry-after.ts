// Reads a receiver's Retry-After header (RFC 9110, §10.2.3): until when it asks to be left alone. Past or unreadable
// means that it asks nothing. However long it asks for, it gets no more than the policy allows (decision: pace).

import type { EpochMs } from "../ids.js";
import { RETRY_AFTER_JITTER } from "../limits.js";
import type { RetryPolicy } from "./retry-policy.js";

const SECONDS = /^\d{1,10}$/;

/** Until when the header asks for rest, at most `longestMs` from now; undefined when it asks for none. */
export function readRetryAfter(header: string | undefined, longestMs: number, now: EpochMs): EpochMs | undefined {
  const until = header === undefined ? undefined : instantOf(header.trim(), now);
  if (until === undefined || until <= now) return undefined;
  return Math.floor(Math.min(until, now + longestMs)) as EpochMs;
}

/**
 * Until when an endpoint that sent this header is left alone: up to a fifth longer than it asks for, by `draw` from [0, 1),
 * so that what waits for it does not come all at once. Never longer than the retry window.
 */
export function holdUntil(
  header: string | undefined,
  policy: RetryPolicy,
  draw: number,
  now: EpochMs,
): EpochMs | undefined {
  const until = readRetryAfter(header, policy.maxRetryAfterMs, now);
  if (until === undefined) return undefined;
  const askedMs = until - now;
  return Math.floor(now + Math.min(askedMs * (1 + RETRY_AFTER_JITTER * draw), policy.retryWindowMs)) as EpochMs;
}

/** The longest such hold. */
export function longestHold({ maxRetryAfterMs, retryWindowMs }: RetryPolicy): number {
  return Math.min(maxRetryAfterMs * (1 + RETRY_AFTER_JITTER), retryWindowMs);
}

function instantOf(text: string, now: EpochMs): number | undefined {
  if (SECONDS.test(text)) return now + Number(text) * 1_000;
  const at = Date.parse(text);
  // The platform reads many forms and rolls February 30 over; only the one that it writes itself is a date of HTTP.
  return !Number.isNaN(at) && new Date(at).toUTCString() === text ? at : undefined;
}
