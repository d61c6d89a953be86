// Reads a receiver's Retry-After header (RFC 9110, §10.2.3): until when it asks to be left alone. Past or unreadable
// means that it asks nothing. However long it asks for, it never gets more than the window (decision: schedule).

import type { EpochMs } from "../ids.js";

const SECONDS = /^\d{1,10}$/;
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Until when the header asks for rest, at most `longestMs` from now; undefined when it asks for none. */
export function readRetryAfter(header: string | undefined, longestMs: number, now: EpochMs): EpochMs | undefined {
  const until = header === undefined ? undefined : instantOf(header.trim(), now);
  if (until === undefined || until <= now) return undefined;
  return Math.min(until, now + longestMs) as EpochMs;
}

function instantOf(text: string, now: EpochMs): number | undefined {
  if (SECONDS.test(text)) return now + Number(text) * 1_000;
  const match = HTTP_DATE.exec(text);
  if (match === null) return undefined;
  const [, day, month = "", year, hour, minute, second] = match;
  const index = MONTHS.indexOf(month);
  if (index === -1) return undefined;
  return Date.UTC(Number(year), index, Number(day), Number(hour), Number(minute), Number(second));
}
