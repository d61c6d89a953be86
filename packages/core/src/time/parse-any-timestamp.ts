// Reads the timestamp of a caller in any supported form (decision: leniency), with the platform's calendar. Requires an exact
// form and a real day, since `Date.parse` guesses, differently in each engine: "1" as the year 2001, February 30 as March.
// Small enough for the client; parse-timestamp.ts is the fast version for ingest.

import { type EpochMs, epochMs } from "../ids.js";

const FORM = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d\d):?(\d\d))?)?$/;

/** The first and the last instant with a year of four digits, 0001 to 9999. */
export const FIRST_INSTANT = -62_135_596_800_000 as EpochMs;
export const LAST_INSTANT = 253_402_300_799_999 as EpochMs;

/**
 * Reads `YYYY-MM-DD[THH:MM[:SS[.1-9 digits]][Z|±HH:MM|±HHMM]]`: UTC if there is no zone, truncated to milliseconds. Undefined
 * for any other text, for days and times that do not exist, and outside the years 0001 to 9999.
 */
export function parseAnyTimestamp(text: string): EpochMs | undefined {
  const match = FORM.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = "", sign, zoneHour, zoneMinute] = match;
  const local = instantOf({
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour ?? 0),
    minute: Number(minute ?? 0),
    second: Number(second ?? 0),
    ms: Number(fraction.slice(0, 3).padEnd(3, "0")),
  });
  const offset = offsetMs(sign, Number(zoneHour ?? 0), Number(zoneMinute ?? 0));
  const at = local - offset;
  return hasFourDigitYear(at) ? epochMs(at) : undefined;
}

/** True if an instant is in the years 0001 to 9999; NaN is in none. */
export function hasFourDigitYear(at: number): boolean {
  return at >= FIRST_INSTANT && at <= LAST_INSTANT;
}

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
function instantOf(at: DateTimeParts): number {
  if (at.hour > 23 || at.minute > 59 || at.second > 59) return NaN;
  // `Date.UTC` reads the years 0 to 99 as 1900 to 1999; `setUTCFullYear` does not.
  const date = new Date(0);
  date.setUTCFullYear(at.year, at.month - 1, at.day);
  // A day that the month does not have rolls over into another month.
  const isRealDay = date.getUTCMonth() === at.month - 1;
  return isRealDay ? date.setUTCHours(at.hour, at.minute, at.second, at.ms) : NaN;
}

/** NaN if there is no such zone. */
function offsetMs(sign: string | undefined, hours: number, minutes: number): number {
  if (hours > 23 || minutes > 59) return NaN;
  const size = (hours * 60 + minutes) * 60_000;
  return sign === "-" ? -size : size;
}
