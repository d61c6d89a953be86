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
  const days = Math.floor(at / DAY_MS);
  const { year, month, day } = calendarDay(days);
  const ms = at - days * DAY_MS;
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  const date = `${two(Math.floor(year / 100))}${two(year % 100)}-${two(month)}-${two(day)}`;
  return `${date}T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}.${three(ms % 1_000)}Z`;
}

function two(number: number): string {
  return String(TWO_DIGITS[number]);
}

function three(number: number): string {
  return String(THREE_DIGITS[number]);
}

const TWO_DIGITS = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, "0"));
const THREE_DIGITS = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, "0"));
