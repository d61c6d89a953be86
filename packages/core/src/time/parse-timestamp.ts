// Reads an instant that a caller wrote (decision: leniency). A strict form and a real calendar day, since what
// `Date.parse` guesses differs between engines: it takes "1" for 2001 and February 30 for March.

import type { EpochMs } from "../ids.js";
import { DAY_MS, daysUntil } from "./calendar.js";

const FORM = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d\d):?(\d\d))?)?$/;

/** The first and the last instant that can be written with a year of four digits, 0001 to 9999. */
export const FIRST_INSTANT = -62_135_596_800_000 as EpochMs;
export const LAST_INSTANT = 253_402_300_799_999 as EpochMs;

/**
 * Reads `YYYY-MM-DD[THH:MM[:SS[.1-9 digits]][Z|±HH:MM|±HHMM]]`; without a zone it is UTC; cut to milliseconds.
 * Undefined for anything else, for days and times that do not exist, and outside the years 0001 to 9999.
 */
export function parseTimestamp(text: string): EpochMs | undefined {
  return readUsual(text) ?? readAny(text);
}

/** Whether an instant lies in the years 0001 to 9999. */
export function isWritable(at: number): boolean {
  return at >= FIRST_INSTANT && at <= LAST_INSTANT;
}

/** The form that nearly all callers write, read without taking the text to pieces. */
function readUsual(text: string): EpochMs | undefined {
  if (!USUAL_FORM.test(text)) return undefined;
  const at = instantOf({
    year: digits(text, 0, 4),
    month: digits(text, 5, 7),
    day: digits(text, 8, 10),
    hour: digits(text, 11, 13),
    minute: digits(text, 14, 16),
    second: digits(text, 17, 19),
    ms: digits(text, 20, 23),
  });
  return at !== undefined && isWritable(at) ? (at as EpochMs) : undefined;
}

const USUAL_FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function digits(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at += 1) number = number * 10 + text.charCodeAt(at) - ZERO;
  return number;
}

const ZERO = 0x30;

function readAny(text: string): EpochMs | undefined {
  const match = FORM.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", sign, zoneHour, zoneMinute] = match;
  const local = instantOf({
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    ms: Number(fraction.slice(0, 3).padEnd(3, "0")),
  });
  const offset = offsetMs(sign, Number(zoneHour ?? 0), Number(zoneMinute ?? 0));
  if (local === undefined || offset === undefined) return undefined;
  const at = local - offset;
  return isWritable(at) ? (at as EpochMs) : undefined;
}

interface Parts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly ms: number;
}

/** Undefined where there is no such day or no such time. */
function instantOf({ year, month, day, hour, minute, second, ms }: Parts): number | undefined {
  const days = daysUntil({ year, month, day });
  const isTime = hour <= 23 && minute <= 59 && second <= 59;
  return days === undefined || !isTime ? undefined : days * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1_000 + ms;
}

function offsetMs(sign: string | undefined, hours: number, minutes: number): number | undefined {
  if (hours > 23 || minutes > 59) return undefined;
  const size = (hours * 60 + minutes) * 60_000;
  return sign === "-" ? -size : size;
}
