import { formatTimestamp, parseTimestamp } from "@postrider/core/engine";
import { badTimestampTexts, nastyStrings, timestampTexts } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

describe("parseTimestamp", () => {
  it.each([
    ["2026-01-31T12:00:00.000Z", "2026-01-31T12:00:00.000Z"],
    ["2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["2026-01-31T12:34", "2026-01-31T12:34:00.000Z"],
    ["2026-01-31T12:34Z", "2026-01-31T12:34:00.000Z"],
    ["2026-01-31T12:34:56", "2026-01-31T12:34:56.000Z"],
    ["2026-01-31T12:34:56.7", "2026-01-31T12:34:56.700Z"],
    ["2026-01-31T12:34:56.07Z", "2026-01-31T12:34:56.070Z"],
    ["2026-01-31T12:34:56.123456789Z", "2026-01-31T12:34:56.123Z"],
    ["2026-01-31T12:34:56.999999Z", "2026-01-31T12:34:56.999Z"],
    ["2026-01-31T12:00:00+01:30", "2026-01-31T10:30:00.000Z"],
    ["2026-01-31T12:00:00-0130", "2026-01-31T13:30:00.000Z"],
    ["2026-01-31T12:00:00.5-00:00", "2026-01-31T12:00:00.500Z"],
    ["2026-01-31T23:59:59+23:59", "2026-01-31T00:00:59.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["0001-01-01T00:00:00.000Z", "0001-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
    ["0099-06-15", "0099-06-15T00:00:00.000Z"],
  ])("reads %s as %s", (text, instant) => {
    const at = parseTimestamp(text);
    expect(at === undefined ? at : formatTimestamp(at)).toBe(instant);
  });

  it.each(["1900-02-29", "2023-04-31", "2023-12-32", "2023-00-01", "2023-01-00", "0000-12-31"])(
    "refuses %s, a day that does not exist",
    (text) => {
      expect(parseTimestamp(text)).toBeUndefined();
    },
  );

  // The platform's calendar is the judge: a day that does not exist rolls over into another month there.
  it.each([1, 4, 100, 400, 1900, 1970, 1999, 2000, 2023, 2024, 2100, 9999])(
    "reads the days of the year %i that exist, in the common form, and no others",
    (year) => {
      for (let month = 0; month <= 13; month += 1) {
        for (const day of [0, 1, 2, 15, 28, 29, 30, 31, 32]) {
          const date = new Date(0);
          date.setUTCFullYear(year, month - 1, day);
          const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
          const text = [year, month, day].map((part, index) => String(part).padStart(index === 0 ? 4 : 2, "0"));
          const at = parseTimestamp(`${text.join("-")}T00:00:00.000Z`);
          expect(at, text.join("-")).toBe(isReal ? date.getTime() : undefined);
        }
      }
    },
  );

  it.each([
    "2026-01-31T23:59:59.999Z",
    "2026-01-31T23:00:00.000Z",
    "2026-01-31T00:59:00.000Z",
    "2026-01-31T00:00:59.001Z",
  ])("reads %s, at an edge of the clock", (text) => {
    expect(parseTimestamp(text)).toBe(Date.parse(text));
  });

  it.each(["24:00:00.000", "00:60:00.000", "00:00:60.000"])("refuses %s, a time that does not exist", (time) => {
    expect(parseTimestamp(`2026-01-31T${time}Z`)).toBeUndefined();
  });

  it.each([
    "0000-12-31T23:59:59.999Z",
    "2026-01-31T12:00:00.000Z ",
    "2026-01-31T12:00:00.000Z\n",
    "2026-01-31T12:00:00.000Zx",
    "2026-01-31T12:00:00.000+01:60",
    "2026-01-31T12:00:00.000-24:00",
    "2026-01-31T12:00:00.000Z2026-01-31T12:00:00.000Z",
    "x2026-01-31T12:00:00.000Z",
  ])("refuses %j, which is near the common form", (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });

  it("refuses text that is not an instant", () => {
    fc.assert(
      fc.property(fc.oneof(badTimestampTexts(), nastyStrings()), (text) => {
        fc.pre(!/^\d{4}-/.test(text) || text.length < 30);
        expect(parseTimestamp(text)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it("reads every form of every instant (law 35)", () => {
    fc.assert(
      fc.property(timestampTexts(), ({ text, at }) => {
        expect(parseTimestamp(text)).toBe(at);
      }),
      { numRuns: 300 },
    );
  });

  it("reads the common form like the same instant with another zone, days and times that do not exist included", () => {
    const number = (max: number, width: number) => fc.nat(max).map((one) => String(one).padStart(width, "0"));
    const date = fc.tuple(fc.oneof(number(1, 4), number(9_999, 4)), number(13, 2), number(32, 2));
    const time = fc.tuple(number(25, 2), number(61, 2), number(61, 2));
    fc.assert(
      fc.property(date, time, number(999, 3), (days, hours, ms) => {
        const text = `${days.join("-")}T${hours.join(":")}.${ms}`;
        expect(parseTimestamp(`${text}Z`)).toBe(parseTimestamp(`${text}+00:00`));
      }),
      { numRuns: 1_000 },
    );
  });

  it("accepts exactly the years 0001 to 9999, to the millisecond", () => {
    expect(parseTimestamp("0001-01-01T00:00:00+00:01")).toBeUndefined();
    expect(parseTimestamp("9999-12-31T23:59:59.999-00:01")).toBeUndefined();
    expect(parseTimestamp("9999-12-31T23:59:59.999+00:00")).toBe(253_402_300_799_999);
    expect(parseTimestamp("0001-01-01T00:00:00-00:00")).toBe(-62_135_596_800_000);
  });
});
