// The calendar as arithmetic: which day of which month a number of days is, and back. Gregorian, without end in both
// directions. The platform's dates know it too, but each is an object, and a call reads and writes seven instants.

export const DAY_MS = 86_400_000;

export interface CalendarDay {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
}

/** Days from the first of March of the year 0 to the first of January 1970. */
const EPOCH_DAYS = 719_468;
/** After 400 years the calendar begins anew. */
const ERA_YEARS = 400;
const ERA_DAYS = 146_097;

/** The day that lies so many whole days after the first of January 1970, or before it. */
export function calendarDay(days: number): CalendarDay {
  const sinceMarch = days + EPOCH_DAYS;
  const era = Math.floor(sinceMarch / ERA_DAYS);
  const dayOfEra = sinceMarch - era * ERA_DAYS;
  const yearOfEra = yearOf(dayOfEra);
  const dayOfYear = dayOfEra - daysBefore(yearOfEra);
  // Years begin in March here, so that the leap day is the last of one, and months are 31, 30, 31, 30, 31 again and again.
  const monthOfYear = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthOfYear < 10 ? monthOfYear + 3 : monthOfYear - 9;
  const year = yearOfEra + era * ERA_YEARS + (month <= 2 ? 1 : 0);
  return { year, month, day: dayOfYear - Math.floor((153 * monthOfYear + 2) / 5) + 1 };
}

/** How many days after the first of January 1970 a day lies; undefined where the month has no such day. */
export function daysUntil({ year, month, day }: CalendarDay): number | undefined {
  if (month < 1 || month > 12 || day < 1 || day > lastDay(year, month)) return undefined;
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / ERA_YEARS);
  const monthOfYear = month <= 2 ? month + 9 : month - 3;
  const dayOfYear = Math.floor((153 * monthOfYear + 2) / 5) + day - 1;
  return era * ERA_DAYS + daysBefore(marchYear - era * ERA_YEARS) + dayOfYear - EPOCH_DAYS;
}

/** Days of an era that lie before one of its years. */
function daysBefore(yearOfEra: number): number {
  return yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
}

/** Days of an era are counted as if no year had a leap day: each is taken out once it is over. */
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
