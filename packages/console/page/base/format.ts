// Numbers, lengths of time and instants as people read them, in the language of the browser.

const LANGUAGE = undefined;
const plain = new Intl.NumberFormat(LANGUAGE);
const short = new Intl.NumberFormat(LANGUAGE, { maximumSignificantDigits: 3 });
const clock = new Intl.DateTimeFormat(LANGUAGE, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat(LANGUAGE, { day: "numeric", month: "short" });

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function formatNumber(count: number): string {
  return plain.format(count);
}

/** Three digits are enough for a rate. */
export function formatRate(rate: number): string {
  return short.format(rate);
}

/** A length of time, in its two largest units. */
export function formatLength(ms: number): string {
  if (ms < SECOND) return `${short.format(ms)} ms`;
  if (ms < MINUTE) return `${short.format(ms / SECOND)} s`;
  if (ms < HOUR) return inTwo(ms, [MINUTE, "min"], [SECOND, "s"]);
  return ms < DAY ? inTwo(ms, [HOUR, "h"], [MINUTE, "min"]) : inTwo(ms, [DAY, "d"], [HOUR, "h"]);
}

type Unit = readonly [ms: number, name: string];

function inTwo(ms: number, [large, largeName]: Unit, [small, smallName]: Unit): string {
  const remainder = Math.floor((ms % large) / small);
  const whole = `${String(Math.floor(ms / large))} ${largeName}`;
  return remainder === 0 ? whole : `${whole} ${String(remainder)} ${smallName}`;
}

/** The time of day, and the day if it is not today. */
export function formatInstant(at: Date, now: Date): string {
  return at.toDateString() === now.toDateString() ? clock.format(at) : `${day.format(at)}, ${clock.format(at)}`;
}
