// Reads a Retry-After header (RFC 9110, §10.2.3) and decides how long an endpoint is on hold because of it. A header that
// names a past instant or is unreadable causes no hold, and no hold is longer than the policy allows (decision: lane health).

import { type EpochMs, epochMs } from "../ids.js";
import { RETRY_AFTER_JITTER } from "../limits.js";
import type { RetryPolicy } from "./retry-policy.js";

const SECONDS = /^\d{1,10}$/;

/**
 * The instant that the header names, in seconds or as a date, shortened to `longestMs` from now if it is later. Undefined if
 * the header names no future instant.
 */
export function readRetryAfter(header: string | undefined, longestMs: number, now: EpochMs): EpochMs | undefined {
  const until = header === undefined ? undefined : instantOf(header.trim(), now);
  if (until === undefined || until <= now) return undefined;
  return epochMs(Math.floor(Math.min(until, now + longestMs)));
}

/**
 * The end of the hold of an endpoint that sent this header: up to a fifth longer than the header says, so that waiting deliveries do not
 * start all at once. `draw`, from [0, 1), decides how much longer. Never longer than the retry window. Undefined: no hold.
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
  return epochMs(Math.floor(now + Math.min(askedMs * (1 + RETRY_AFTER_JITTER * draw), policy.retryWindowMs)));
}

/** The longest hold under a policy, in milliseconds. */
export function longestHold({ maxRetryAfterMs, retryWindowMs }: RetryPolicy): number {
  return Math.min(maxRetryAfterMs * (1 + RETRY_AFTER_JITTER), retryWindowMs);
}

function instantOf(text: string, now: EpochMs): number | undefined {
  if (SECONDS.test(text)) return now + Number(text) * 1_000;
  const at = Date.parse(text);
  // `Date.parse` accepts many forms, and turns February 30 into March. Only the preferred form of HTTP dates is accepted here:
  // the form that `toUTCString` writes.
  return !Number.isNaN(at) && new Date(at).toUTCString() === text ? at : undefined;
}
