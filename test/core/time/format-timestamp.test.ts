import { formatTimestamp, parseTimestamp } from "@postrider/core/engine";
import { instants } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at } from "../builders.js";

const DAY_MS = 86_400_000;
/** The calendar repeats after this number of days. */
const ERA_DAYS = 146_097;

describe("formatTimestamp", () => {
  it("writes ISO 8601 in UTC with milliseconds (law 35)", () => {
    fc.assert(
      fc.property(instants(), (at) => {
        const written = formatTimestamp(at);
        expect(written).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        expect(parseTimestamp(written)).toBe(at);
      }),
    );
  });

  it("writes the same as Date, for any instant", () => {
    fc.assert(
      fc.property(instants(), (when) => {
        expect(formatTimestamp(when)).toBe(new Date(when).toISOString());
      }),
      { numRuns: 1_000 },
    );
  });

  it("writes the same as Date for instants close to each other, whichever was written before", () => {
    fc.assert(
      fc.property(instants(), fc.array(fc.integer({ min: -90_000, max: 90_000 })), (first, offsets) => {
        const near = [first, ...offsets.map((offset) => at(first + offset))].filter(
          (when) => parseTimestamp(new Date(when).toISOString()) === when,
        );
        expect(near.map(formatTimestamp)).toEqual(near.map((when) => new Date(when).toISOString()));
      }),
    );
  });

  it("writes each day of the calendar, leap days included, so that it can be read back", () => {
    const first = Date.UTC(1_800, 0, 1);
    const wrong = Array.from({ length: ERA_DAYS }, (_, day) => at(first + day * DAY_MS)).filter((day) => {
      const written = new Date(day).toISOString();
      return formatTimestamp(day) !== written || parseTimestamp(written) !== day;
    });
    expect(wrong).toEqual([]);
  });

  it("truncates fractions of milliseconds, also before 1970", () => {
    expect(formatTimestamp(at(1.75))).toBe("1970-01-01T00:00:00.001Z");
    expect(formatTimestamp(at(-1.75))).toBe("1969-12-31T23:59:59.999Z");
    expect(formatTimestamp(at(-0.5))).toBe("1970-01-01T00:00:00.000Z");
  });

  it("writes years outside 0001 to 9999 as Date does", () => {
    expect(formatTimestamp(at(253_402_300_800_000))).toBe("+010000-01-01T00:00:00.000Z");
    expect(formatTimestamp(at(-62_135_596_800_001))).toBe("0000-12-31T23:59:59.999Z");
  });
});
