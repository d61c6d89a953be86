// Reads the date of a call in every form that can mean one instant only (decision: details of calls). A form that could mean two, such as
// 03/04/2026, is not read. Only for dates of callers: settings and the API take the forms of parse-timestamp.ts alone.

import { hasToJson } from "../call/is-plain-object.js";
import { type EpochMs, epochMs } from "../ids.js";
import { DAY_MS } from "./calendar.js";
import { hasFourDigitYear, parseAnyTimestamp } from "./parse-any-timestamp.js";
import { parseTimestamp } from "./parse-timestamp.js";

/**
 * Reads the forms of `parseTimestamp`, their variants in ISO 8601, RFC 3339 and RFC 9557, the dates that `Date` writes with English names,
 * and epoch seconds or milliseconds of the years 2001 to 2286. Undefined for any other value, for days and times that do not exist, and
 * outside the years 0001 to 9999. Throws only the error of a `toJSON` of a host's object.
 */
export function readInstant(value: unknown): EpochMs | undefined {
  if (typeof value === "string") return parseTimestamp(value) ?? readRareText(value.trim());
  if (typeof value === "number") return readEpoch(value);
  return typeof value === "object" && value !== null && hasToJson(value) ? readWritten(value.toJSON()) : undefined;
}

/** The instant of a host's date, as JSON would write it. */
function readWritten(value: unknown): EpochMs | undefined {
  return typeof value === "string" ? readInstant(value) : undefined;
}

function readRareText(text: string): EpochMs | undefined {
  if (EPOCH.test(text)) return readEpoch(Number(text));
  return readIsoVariant(text) ?? readNamed(text);
}

/** Of digits alone, ten are seconds and thirteen are milliseconds; eight could also be a day. */
const EPOCH = /^(?:\d{10}|\d{13})(?:\.\d{1,9})?$/;
/** The first number of ten digits, and the first of thirteen. */
const FIRST_SECOND = 1e9;
const FIRST_MS = 1e12;

/** Seconds have ten digits and milliseconds thirteen: both are so from 2001-09-09 to 2286-11-20. */
function readEpoch(value: number): EpochMs | undefined {
  if (value >= FIRST_SECOND && value < FIRST_SECOND * 10) return epochMs(Math.round(value * 1_000));
  return value >= FIRST_MS && value < FIRST_MS * 10 ? epochMs(Math.floor(value)) : undefined;
}

/**
 * The year first: a blank or a small letter for the T, a comma for the point, no separators at all or `/` between the parts of the
 * day, any number of digits of a second, a zone without minutes, by name, or after a blank or a colon, and a region behind the zone.
 */
const ISO_VARIANT =
  /^(?!\d{8}$)(\d{4})([-/]?)(\d\d)\2(\d\d)(?:[Tt ](\d\d)(:?)(\d\d)(?:\6(\d\d)(?:[.,](\d+))?)?[ :]?([Zz]|UTC|GMT|[+-]\d\d(?::?\d\d)?)?(?:\[[\w/+-]+\])?)?$/;

function readIsoVariant(text: string): EpochMs | undefined {
  const match = ISO_VARIANT.exec(text);
  if (match === null) return undefined;
  const [, year, , month, day, hour = "00", , minute = "00", second = "00", fraction = "0", zone = ""] = match;
  const date = `${String(year)}-${String(month)}-${String(day)}`;
  if (second === "60") return readLeapSecond(parseAnyTimestamp(`${date}T${hour}:${minute}:59${zoneIn(zone)}`));
  const isEnd = isEndOfDay(`${hour}${minute}${second}`, fraction);
  const time = `${isEnd ? "00" : hour}:${minute}:${second}.${fraction.slice(0, 9)}`;
  const at = parseAnyTimestamp(`${date}T${time}${zoneIn(zone)}`);
  return isEnd ? addMs(at, DAY_MS) : at;
}

function isEndOfDay(time: string, fraction: string): boolean {
  return time === "240000" && Number(fraction) === 0;
}

/** A second 60 comes only at the end of a day in UTC, and is counted as the second after it. */
function readLeapSecond(secondBefore: EpochMs | undefined): EpochMs | undefined {
  const at = addMs(secondBefore, 1_000);
  return at !== undefined && at % DAY_MS === 0 ? at : undefined;
}

function addMs(at: EpochMs | undefined, ms: number): EpochMs | undefined {
  return at !== undefined && hasFourDigitYear(at + ms) ? epochMs(at + ms) : undefined;
}

/** The zone as `parseAnyTimestamp` reads it. */
function zoneIn(zone: string): string {
  if (zone === "" || zone.length > 3) return zone;
  return /\d/.test(zone) ? `${zone}:00` : "Z";
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
/** `Sat, 31 Jan 2026 12:00:00 GMT` (RFC 9110, mail) and `Sat Jan 31 2026 12:00:00 GMT+0100 (CET)`; the zone is required. */
const NAMED =
  /^(?:[A-Z][a-z]{2},? )?(?:(\d\d?) ([A-Z][a-z]{2})|([A-Z][a-z]{2}) (\d\d?)) (\d{4}) (\d\d:\d\d:\d\d) (?:(?:GMT|UTC)?([+-]\d{4})|GMT|UTC)(?: \([^()]*\))?$/;

function readNamed(text: string): EpochMs | undefined {
  const match = NAMED.exec(text);
  if (match === null) return undefined;
  const [, dayBefore = "", nameAfter = "", nameBefore = "", dayAfter = "", year, time, zone = "Z"] = match;
  const month = MONTHS.indexOf(nameAfter + nameBefore) + 1;
  const day = (dayBefore + dayAfter).padStart(2, "0");
  return parseAnyTimestamp(`${String(year)}-${String(month).padStart(2, "0")}-${day}T${String(time)}${zone}`);
}
