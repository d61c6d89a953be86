import { DEFAULT_RETRY_POLICY } from "@postrider/core";
import { holdUntil, longestHold, readRetryAfter } from "@postrider/core/engine";
import { nastyStrings } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at, NOW } from "../builders.js";

const DAY_MS = 86_400_000;

describe("readRetryAfter", () => {
  it.each([
    ["seconds", "120", NOW + 120_000],
    ["one second", "1", NOW + 1_000],
    ["spaces around", " 120\t", NOW + 120_000],
    ["a date", "Sat, 31 Jan 2026 12:00:30 GMT", NOW + 30_000],
    ["a date in another month", "Sun, 01 Feb 2026 11:00:00 GMT", NOW + 82_800_000],
  ])("reads %s", (_, header, until) => {
    expect(readRetryAfter(header, DAY_MS, NOW)).toBe(until);
  });

  it.each([
    ["no header", undefined],
    ["an empty header", ""],
    ["no seconds at all", "0"],
    ["seconds below zero", "-1"],
    ["a fraction", "1.5"],
    ["a sign", "+1"],
    ["an exponent", "1e3"],
    ["words", "soon"],
    ["words that a platform prints for no date", "Invalid Date"],
    ["a time past", "Sat, 31 Jan 2026 11:59:59 GMT"],
    ["this very moment", "Sat, 31 Jan 2026 12:00:00 GMT"],
    ["a day that does not exist", "Mon, 30 Feb 2026 12:00:00 GMT"],
    ["another zone", "Sat, 31 Jan 2026 13:00:30 CET"],
    ["a month of nowhere", "Sat, 31 Foo 2026 12:00:30 GMT"],
    ["the wrong day of the week", "Mon, 31 Jan 2026 12:00:30 GMT"],
    ["an ISO date", "2026-01-31T12:00:30.000Z"],
    ["more than a header of seconds has", "99999999999"],
    ["seconds with words behind", "120 or so"],
    ["words before seconds", "about 120"],
  ])("reads nothing from %s", (_, header) => {
    expect(readRetryAfter(header, DAY_MS, NOW)).toBeUndefined();
  });

  it("never exceeds the longest hold", () => {
    expect(readRetryAfter("9999999999", DAY_MS, NOW)).toBe(NOW + DAY_MS);
    expect(readRetryAfter("Tue, 31 Dec 2199 12:00:00 GMT", DAY_MS, NOW)).toBe(NOW + DAY_MS);
    expect(readRetryAfter("86400", DAY_MS, NOW)).toBe(NOW + DAY_MS);
  });

  it("answers whole milliseconds, even if the longest hold is fractional", () => {
    expect(readRetryAfter("9", 1_000.7, NOW)).toBe(NOW + 1_000);
  });

  it("reads every HTTP date", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: DAY_MS / 1_000 }), (seconds) => {
        const header = new Date(NOW + seconds * 1_000).toUTCString();
        expect(readRetryAfter(header, DAY_MS, NOW)).toBe(NOW + seconds * 1_000);
      }),
    );
  });

  it("is total: undefined, or later than now and within the longest hold", () => {
    fc.assert(
      fc.property(fc.oneof(nastyStrings(), fc.nat().map(String)), fc.integer(), (header, now) => {
        const until = readRetryAfter(header, DAY_MS, at(now)) ?? now + 1;
        expect(until).toBeGreaterThan(now);
        expect(until).toBeLessThanOrEqual(now + DAY_MS);
      }),
    );
  });
});

describe("longestHold", () => {
  it("is the longest Retry-After with its jitter, and never longer than the window", () => {
    const policy = { ...DEFAULT_RETRY_POLICY, maxRetryAfterMs: 100_000 };
    expect(longestHold({ ...policy, retryWindowMs: 1_000_000 })).toBe(120_000);
    expect(longestHold({ ...policy, retryWindowMs: 110_000 })).toBe(110_000);
  });
});

describe("holdUntil", () => {
  const { maxRetryAfterMs } = DEFAULT_RETRY_POLICY;
  const hold = (header: string | undefined, draw: number, changes = {}) =>
    holdUntil(header, { ...DEFAULT_RETRY_POLICY, ...changes }, draw, NOW);

  it("puts an endpoint on hold for as long as it asks, and by chance up to a fifth longer", () => {
    expect(hold("60", 0)).toBe(NOW + 60_000);
    expect(hold("60", 0.5)).toBe(NOW + 66_000);
    expect(hold(undefined, 0.5)).toBeUndefined();
  });

  it("lasts at most five minutes by default before jitter, and never longer than the window", () => {
    expect(maxRetryAfterMs).toBe(300_000);
    expect(hold("1000000000", 0)).toBe(NOW + maxRetryAfterMs);
    expect(hold("Tue, 31 Dec 2199 12:00:00 GMT", 0.5)).toBe(NOW + 330_000);
    expect(hold("60", 0.9, { retryWindowMs: 61_000 })).toBe(NOW + 61_000);
    expect(hold("60", 0.9, { maxRetryAfterMs: 1_000 })).toBe(NOW + 1_180);
  });

  it("is never shorter than the header asks, within the bounds, nor longer than the longest hold", () => {
    const policies = fc.record({
      maxRetryAfterMs: fc.integer({ min: 1, max: 1e9 }),
      retryWindowMs: fc.integer({ min: 1, max: 1e9 }),
    });
    fc.assert(
      fc.property(
        policies,
        fc.integer({ min: 1, max: 1e7 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (bounds, seconds, draw) => {
          const policy = { ...DEFAULT_RETRY_POLICY, ...bounds };
          const heldMs = (holdUntil(String(seconds), policy, draw, NOW) ?? NaN) - NOW;
          expect(heldMs).toBeGreaterThanOrEqual(
            Math.min(seconds * 1_000, bounds.maxRetryAfterMs, bounds.retryWindowMs),
          );
          expect(heldMs).toBeLessThanOrEqual(longestHold(policy));
        },
      ),
    );
  });
});
