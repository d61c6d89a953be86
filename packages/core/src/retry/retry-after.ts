// Reads a receiver's Retry-After header (RFC 9110, §10.2.3): until when it asks to be left alone. Past or unreadable
// means that it asks nothing. However long it asks for, it never gets more than the window (decision: schedule).

import type { EpochMs } from "../ids.js";

const SECONDS = /^\d{1,10}$/;

/** Until when the header asks for rest, at most `longestMs` from now; undefined when it asks for none. */
export function readRetryAfter(header: string | undefined, longestMs: number, now: EpochMs): EpochMs | undefined {
  const until = header === undefined ? undefined : instantOf(header.trim(), now);
  if (until === undefined || until <= now) return undefined;
  return Math.floor(Math.min(until, now + longestMs)) as EpochMs;
}

function instantOf(text: string, now: EpochMs): number | undefined {
  if (SECONDS.test(text)) return now + Number(text) * 1_000;
  const at = Date.parse(text);
  // The platform reads many forms and rolls February 30 over; only the one that it writes itself is a date of HTTP.
  return !Number.isNaN(at) && new Date(at).toUTCString() === text ? at : undefined;
}
