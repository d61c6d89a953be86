// Instants, and the texts in which callers write them: every form that is accepted, and texts that must be refused.

import { type EpochMs, epochMs } from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import fc, { type Arbitrary } from "fast-check";

/** The start of the year 0001, and the last millisecond of the year 9999. */
const FIRST_MS = -62_135_596_800_000;
const LAST_MS = 253_402_300_799_999;
const DAY_MS = 86_400_000;

const BAD = [
  "",
  "1",
  "1700000000",
  "2020-02-30T00:00:00Z",
  "2021-02-29",
  "2020-13-01",
  "2020-00-10",
  "2020-01-00",
  "2020-01-01T24:00:00Z",
  "2020-01-01T00:60:00Z",
  "2020-01-01T00:00:60Z",
  "2020-01-01T00:00:00+25:00",
  "2020-01-01T00:00:00+00:60",
  "2020-01-01T00:00:00.Z",
  "2020-01-01T00:00:00.1234567890Z",
  "2020-01-01 00:00:00Z",
  "2020-01-01T00:00:00z",
  "2020-01-01T00Z",
  "2020-01-01Z",
  "2020-1-1",
  " 2020-01-01",
  "2020-01-01T00:00:00Z ",
  "2020-01-01T00:00:00Z\n",
  "0000-01-01T00:00:00Z",
  "-000001-01-01T00:00:00Z",
  "+012000-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999-00:01",
  "0001-01-01T00:00:00+00:01",
  "\u0662\u0660\u0662\u0660-\u0660\u0661-\u0660\u0661",
];

/** An instant of the years 0001 to 9999, more often near the present. */
export function instants(): Arbitrary<EpochMs> {
  const near = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2040, 0, 1) });
  const edge = fc.constantFrom(FIRST_MS, LAST_MS, 0, -1, Date.UTC(2024, 1, 29));
  return fc
    .oneof({ weight: 4, arbitrary: near }, fc.integer({ min: FIRST_MS, max: LAST_MS }), edge)
    .map((at) => epochMs(at));
}

/** A text of an instant, and the instant. */
interface TimestampText {
  readonly text: string;
  /** The instant of the text, truncated to milliseconds. */
  readonly at: EpochMs;
}

/** An instant written in one of the accepted forms: with or without zone, fraction, seconds, time of day. */
export function timestampTexts(): Arbitrary<TimestampText> {
  return fc.oneof(
    instants().map((at) => ({ text: formatTimestamp(at), at })),
    fc.tuple(instants(), fc.stringMatching(/^\d{0,6}$/)).map(([at, digits]) => withoutZone(at, digits)),
    fc.tuple(instants(), fc.integer({ min: -1439, max: 1439 }), fc.boolean()).map(withZone),
    instants().map((at) => cut(at, 60_000, 16)),
    instants().map((at) => cut(at, DAY_MS, 10)),
  );
}

/** Texts that name no instant, and must be refused. */
export function badTimestampTexts(): Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(...BAD),
    fc.string().filter((text) => !/^\d{4}-\d\d-\d\d/.test(text)),
  );
}

/** The instant without a zone, with up to six digits after its milliseconds, which are dropped when it is read. */
function withoutZone(at: EpochMs, digits: string): TimestampText {
  return { text: `${formatTimestamp(at).slice(0, -1)}${digits}`, at };
}

function withZone([at, offsetMinutes, hasColon]: [EpochMs, number, boolean]): TimestampText {
  const localMs = at + offsetMinutes * 60_000;
  if (localMs < FIRST_MS || localMs > LAST_MS) return { text: formatTimestamp(at), at };
  const [hour, minute] = [Math.floor(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60].map((part) =>
    String(part).padStart(2, "0"),
  );
  const zone = `${offsetMinutes < 0 ? "-" : "+"}${String(hour)}${hasColon ? ":" : ""}${String(minute)}`;
  return { text: `${formatTimestamp(epochMs(localMs)).slice(0, -1)}${zone}`, at };
}

function cut(at: EpochMs, unitMs: number, length: number): TimestampText {
  const whole = epochMs(Math.floor(at / unitMs) * unitMs);
  return { text: formatTimestamp(whole).slice(0, length), at: whole };
}
