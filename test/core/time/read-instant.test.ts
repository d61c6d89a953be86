import { formatTimestamp, parseTimestamp, readInstant } from "@postrider/core/engine";
import { epochMs } from "@postrider/core";
import { instants, nastyStrings, timestampTexts } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const NOON = "2026-01-31T12:00:00.000Z";

function read(value: unknown): string | undefined {
  const at = readInstant(value);
  return at === undefined ? undefined : formatTimestamp(at);
}

describe("readInstant reads", () => {
  it.each<[unknown, string]>([
    ["2021-10-16T16:00:27.029:Z", "2021-10-16T16:00:27.029Z"],
    ["2026-01-31t12:00:00z", NOON],
    ["2026-01-31 12:00:00", NOON],
    ["2026-01-31 12:00:00Z", NOON],
    ["2026-01-31 12:00:00 UTC", NOON],
    ["2026-01-31 12:00:00 GMT", NOON],
    ["2026-01-31 13:00:00 +0100", NOON],
    ["2026-01-31T13:00:00+01", NOON],
    ["2026-01-31T11:00-01", NOON],
    ["2026-01-31T12:00:00Z[UTC]", NOON],
    ["2026-01-31T13:00:00+01:00[Europe/Berlin]", NOON],
    ["2026-01-31T12:00:00,5Z", "2026-01-31T12:00:00.500Z"],
    ["2026-01-31T12:00:00.1239999999999Z", "2026-01-31T12:00:00.123Z"],
    ["20260131T120000Z", NOON],
    ["20260131T120000.000+0000", NOON],
    ["20260131 1200", NOON],
    ["2026/01/31 12:00:00", NOON],
    ["2026/01/31", "2026-01-31T00:00:00.000Z"],
    ["  2026-01-31T12:00:00Z\n", NOON],
    ["2026-01-30T24:00:00Z", "2026-01-31T00:00:00.000Z"],
    ["2026-01-30T24:00", "2026-01-31T00:00:00.000Z"],
    ["2026-01-30T24:00:00.000+01:00", "2026-01-30T23:00:00.000Z"],
    ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"],
    ["2016-12-31T15:59:60.5-08:00", "2017-01-01T00:00:00.000Z"],
    ["Sat, 31 Jan 2026 12:00:00 GMT", NOON],
    ["Sat, 31 Jan 2026 13:00:00 +0100", NOON],
    ["31 Jan 2026 12:00:00 UTC", NOON],
    ["Sat Jan 31 2026 13:00:00 GMT+0100 (Central European Standard Time)", NOON],
    ["Thu Jan 1 2026 12:00:00 GMT", "2026-01-01T12:00:00.000Z"],
    [1_769_860_800, NOON],
    [1_769_860_800.25, "2026-01-31T12:00:00.250Z"],
    [1_769_860_800_000, NOON],
    [1_769_860_800_000.9, NOON],
    ["1769860800", NOON],
    ["1769860800.25", "2026-01-31T12:00:00.250Z"],
    ["1769860800000", NOON],
    [1_000_000_000, "2001-09-09T01:46:40.000Z"],
    [9_999_999_999_999, "2286-11-20T17:46:39.999Z"],
    [new Date(NOON), NOON],
    [{ toJSON: () => NOON }, NOON],
  ])("%j", (value, instant) => {
    expect(read(value)).toBe(instant);
  });
});

describe("readInstant does not read", () => {
  it.each<[why: string, value: unknown]>([
    ["a day or a month first", "03/04/2026"],
    ["a month that is plainly one, first", "01/31/2026 12:00:00"],
    ["points between the parts", "31.01.2026"],
    ["a year of two digits", "26-01-31"],
    ["a year alone", "2026"],
    ["a month alone", "2026-01"],
    ["eight digits", "20260131"],
    ["nine digits", "176986080"],
    ["twelve digits", "202601311200"],
    ["fourteen digits", "20260131120000"],
    ["microseconds", "1769860800000000"],
    ["microseconds as a number", 1_769_860_800_000_000],
    ["nine digits as a number", 999_999_999],
    ["eleven digits as a number", 10_000_000_000],
    ["twelve digits as a number", 999_999_999_999],
    ["fourteen digits as a number", 10_000_000_000_000],
    ["zero, which PHP makes of what is no date", 0],
    ["minus one", -1],
    ["NaN", NaN],
    ["Infinity", Infinity],
    ["mixed separators", "2026-01/31"],
    ["mixed separators of the time", "2026-01-31T12:0000Z"],
    ["February 30", "2026-02-30 12:00:00"],
    ["hour 25", "2026-01-31 25:00:00"],
    ["24:00:01", "2026-01-31T24:00:01Z"],
    ["24:01", "2026-01-31T24:01Z"],
    ["24:00 and a fraction", "2026-01-31T24:00:00.1Z"],
    ["a second 60 at noon", "2026-01-31T12:00:60Z"],
    ["a second 60 that is at noon by its zone", "2026-01-31T23:59:60+12:00"],
    ["a second 60 of no day", "2026-02-30T23:59:60Z"],
    ["a second 61", "2026-01-31T23:59:61Z"],
    ["the end of the last day", "9999-12-31T24:00:00Z"],
    ["the end of no day", "2026-02-30T24:00:00Z"],
    ["a zone of 25 hours", "2026-01-31T12:00:00+25"],
    ["a zone by a name that several places have", "2026-01-31 12:00:00 CST"],
    ["am and pm", "2026-01-31 12:00:00 pm"],
    ["a named month without a zone", "Sat Jan 31 2026 12:00:00"],
    ["a named month with a zone that several places have", "Sat, 31 Jan 2026 12:00:00 EST"],
    ["a month that is none", "31 Foo 2026 12:00:00 GMT"],
    ["other digits", "༢༠༢༦-༠༡-༣༡"],
    ["now", "now"],
    ["an empty text", ""],
    ["true", true],
    ["null", null],
    ["undefined", undefined],
    ["a list", ["2026-01-31"]],
    ["an object", { $date: "2026-01-31" }],
    ["a date that is none", new Date(NaN)],
    ["a number from a toJSON", { toJSON: () => 1_769_860_800 }],
    ["a long text", "9".repeat(20_000)],
    ["a long fraction and no end", `2026-01-31T12:00:00.${"9".repeat(20_000)}!`],
  ])("%s", (_, value) => {
    expect(readInstant(value)).toBeUndefined();
  });
});

describe("the law of readInstant", () => {
  it("reads what JSON writes of a date as the same instant", () => {
    fc.assert(
      fc.property(instants(), (at) => {
        const date = new Date(at);
        expect(readInstant(JSON.parse(JSON.stringify(date)))).toBe(at);
        expect(readInstant(date)).toBe(at);
      }),
    );
  });

  it("reads what Date writes with names, to the second", () => {
    const near = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2099, 0, 1) });
    fc.assert(
      fc.property(near, (at) => {
        const date = new Date(at);
        const second = Math.floor(at / 1_000) * 1_000;
        expect(readInstant(date.toUTCString())).toBe(second);
        expect(readInstant(date.toString())).toBe(second);
      }),
    );
  });

  it("reads epoch seconds and milliseconds, as numbers and as texts, as the same instant", () => {
    const near = fc.integer({ min: 1_000_000_000_000, max: 9_999_999_999_999 });
    fc.assert(
      fc.property(near, (at) => {
        const seconds = Math.floor(at / 1_000);
        expect([readInstant(at), readInstant(String(at))]).toEqual([at, at]);
        expect([readInstant(seconds), readInstant(String(seconds))]).toEqual([seconds * 1_000, seconds * 1_000]);
        expect(readInstant(at / 1_000)).toBe(at);
      }),
    );
  });

  it("reads whatever parseTimestamp reads, as the same instant, also with blanks for its letters", () => {
    fc.assert(
      fc.property(timestampTexts(), ({ text, at }) => {
        expect(readInstant(text)).toBe(at);
        expect(readInstant(text.replace("T", " ").replace("Z", " UTC"))).toBe(at);
        expect(readInstant(text.toLowerCase())).toBe(at);
      }),
    );
  });

  it("reads a text as no other day than the one that it begins with, give or take the zone", () => {
    const part = fc.constantFrom("20", "26", "02", "13", "31", "00", "60", "99", "1", "2026");
    const joint = fc.constantFrom("-", "/", "", ".", " ", "T", ":", "Z", "+", "Jan", "pm", ",");
    const texts = fc.array(fc.tuple(part, joint), { maxLength: 9 }).map((parts) => parts.flat().join(""));
    fc.assert(
      fc.property(fc.oneof(texts, nastyStrings(), fc.string()), (text) => {
        const at = readInstant(text);
        if (at === undefined || /^\s*(?:\d{10}|\d{13})(?:\.|\s*$)/.test(text) || /[A-Za-z]{3} /.test(text)) return;
        const [, year, month, day] = /^\s*(\d{4})[-/]?(\d\d)[-/]?(\d\d)/.exec(text) ?? [];
        const begins = parseTimestamp(`${String(year)}-${String(month)}-${String(day)}`);
        expect(begins, text).toBeDefined();
        expect(Math.abs(at - Number(begins)), text).toBeLessThanOrEqual(2 * 86_400_000);
      }),
      { numRuns: 5_000 },
    );
  });

  it("never throws for what JSON can carry, and reads nothing beyond the years 0001 to 9999", () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.double(), fc.maxSafeInteger()), (value) => {
        const at = readInstant(value);
        if (at !== undefined) expect(parseTimestamp(formatTimestamp(epochMs(at)))).toBe(at);
      }),
    );
  });
});
