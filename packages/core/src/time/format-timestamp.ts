// Writes an instant in messages and answers: ISO 8601 UTC with milliseconds (spec, webhook destination §2.2). By arithmetic,
// not with `Date`, since each message has several instants.

import type { EpochMs } from "../ids.js";
import { calendarDay, DAY_MS } from "./calendar.js";
import { formatWithDate } from "./format-with-date.js";
import { hasFourDigitYear } from "./parse-any-timestamp.js";

/** The instant as text, such as `2026-01-31T12:00:00.000Z`. Outside the years 0001 to 9999, the text is that of `Date`. */
export function formatTimestamp(at: EpochMs): string {
  return hasFourDigitYear(at) ? write(Math.trunc(at)) : formatWithDate(at);
}

function write(at: number): string {
  const minute = Math.floor(at / MINUTE_MS);
  const ms = at - minute * MINUTE_MS;
  return `${textOfMinute(minute)}${twoDigits(Math.floor(ms / 1_000))}.${threeDigits(ms % 1_000)}Z`;
}

/** The minute that was written last, since most instants of a message, and of those after it, are in one minute. */
let lastMinute = { minute: NaN, text: "" };

/** Such as `2026-01-31T12:00:`. */
function textOfMinute(minute: number): string {
  if (minute !== lastMinute.minute) lastMinute = { minute, text: writeMinute(minute) };
  return lastMinute.text;
}

function writeMinute(minute: number): string {
  const days = Math.floor(minute / MINUTES_PER_DAY);
  const { year, month, day } = calendarDay(days);
  const minuteOfDay = minute - days * MINUTES_PER_DAY;
  const date = `${twoDigits(Math.floor(year / 100))}${twoDigits(year % 100)}-${twoDigits(month)}-${twoDigits(day)}`;
  return `${date}T${twoDigits(Math.floor(minuteOfDay / 60))}:${twoDigits(minuteOfDay % 60)}:`;
}

function twoDigits(number: number): string {
  return String(TWO_DIGITS[number]);
}

function threeDigits(number: number): string {
  return String(THREE_DIGITS[number]);
}

const MINUTE_MS = 60_000;
const MINUTES_PER_DAY = DAY_MS / MINUTE_MS;
const TWO_DIGITS = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, "0"));
const THREE_DIGITS = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, "0"));
