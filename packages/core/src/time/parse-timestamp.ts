// Reads the timestamp of a caller, fast enough for ingest: the most common form by arithmetic, all others by
// parse-any-timestamp.ts (decision: leniency). Both files must accept the same texts.

import { type EpochMs, epochMs } from "../ids.js";
import { DAY_MS, daysUntil } from "./calendar.js";
import { hasFourDigitYear, parseAnyTimestamp } from "./parse-any-timestamp.js";

/**
 * Reads `YYYY-MM-DD[THH:MM[:SS[.1-9 digits]][Z|±HH:MM|±HHMM]]`: UTC if there is no zone, truncated to milliseconds. Undefined
 * for any other text, for days and times that do not exist, and outside the years 0001 to 9999.
 */
export function parseTimestamp(text: string): EpochMs | undefined {
  return COMMON_FORM.test(text) ? parseCommonForm(text) : parseAnyTimestamp(text);
}

/** `YYYY-MM-DDTHH:MM:SS.mmmZ`, the most common form. */
const COMMON_FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Reads the common form without creating substrings. */
function parseCommonForm(text: string): EpochMs | undefined {
  const at = instantOf({
    year: digits(text, 0, 4),
    month: digits(text, 5, 7),
    day: digits(text, 8, 10),
    hour: digits(text, 11, 13),
    minute: digits(text, 14, 16),
    second: digits(text, 17, 19),
    ms: digits(text, 20, 23),
  });
  return hasFourDigitYear(at) ? epochMs(at) : undefined;
}

function digits(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at += 1) number = number * 10 + text.charCodeAt(at) - ZERO;
  return number;
}

const ZERO = 0x30;

interface DateTimeParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly ms: number;
}

/** NaN if there is no such day or time. */
function instantOf({ year, month, day, hour, minute, second, ms }: DateTimeParts): number {
  const days = daysUntil({ year, month, day }) ?? NaN;
  const isTime = hour <= 23 && minute <= 59 && second <= 59;
  return isTime ? days * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1_000 + ms : NaN;
}
