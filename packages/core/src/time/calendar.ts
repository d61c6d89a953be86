// Calendar arithmetic: converts a number of days since 1970 to year, month and day, and back. Proleptic Gregorian calendar.
// The platform's `Date` does the same, but creates an object each time, and about seven instants are read or written for
// each call.

export const DAY_MS = 86_400_000;

export interface CalendarDay {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
}

/** Days from 1 March of the year 0 to 1 January 1970. */
const EPOCH_DAYS = 719_468;
/** The calendar repeats after 400 years. */
const ERA_YEARS = 400;
const ERA_DAYS = 146_097;

/** The day that is `days` whole days after 1 January 1970, or before that day if `days` is negative. */
export function calendarDay(days: number): CalendarDay {
  const sinceMarch = days + EPOCH_DAYS;
  const era = Math.floor(sinceMarch / ERA_DAYS);
  const dayOfEra = sinceMarch - era * ERA_DAYS;
  const yearOfEra = yearOf(dayOfEra);
  const dayOfYear = dayOfEra - daysBefore(yearOfEra);
  // Years begin in March here, so that the leap day is the last day of a year, and months repeat as 31, 30, 31, 30, 31 days.
  const monthOfYear = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthOfYear < 10 ? monthOfYear + 3 : monthOfYear - 9;
  const year = yearOfEra + era * ERA_YEARS + (month <= 2 ? 1 : 0);
  return { year, month, day: dayOfYear - Math.floor((153 * monthOfYear + 2) / 5) + 1 };
}

/** The number of days from 1 January 1970 to a day; undefined if the month has no such day. */
export function daysUntil({ year, month, day }: CalendarDay): number | undefined {
  if (month < 1 || month > 12 || day < 1 || day > lastDay(year, month)) return undefined;
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / ERA_YEARS);
  const monthOfYear = month <= 2 ? month + 9 : month - 3;
  const dayOfYear = Math.floor((153 * monthOfYear + 2) / 5) + day - 1;
  return era * ERA_DAYS + daysBefore(marchYear - era * ERA_YEARS) + dayOfYear - EPOCH_DAYS;
}

/** The number of days of an era before one of its years. */
function daysBefore(yearOfEra: number): number {
  return yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
}

/** The year of an era that has this day: without the leap days so far, each year has 365 days. */
function yearOf(dayOfEra: number): number {
  const leapDays = Math.floor(dayOfEra / 1_460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  return Math.floor((dayOfEra - leapDays) / 365);
}

function lastDay(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
