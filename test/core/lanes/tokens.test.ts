import type { MonoMs } from "@postrider/core";
import { nextTokenAt, takeTokens, type RateTokens, tokensLeft } from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mono } from "./builders.js";

const LIMIT = { perSecond: 10, burst: 5 };

describe("tokens", () => {
  it("start with the whole burst, and refill steadily up to it", () => {
    expect(tokensLeft(LIMIT, undefined, mono(0))).toBe(5);
    const none = takeTokens(LIMIT, undefined, 5, mono(0));
    expect([0, 99, 100, 250, 10_000].map((ms) => tokensLeft(LIMIT, none, mono(ms)))).toEqual([0, 0, 1, 2, 5]);
  });

  it("tell when the next one is available", () => {
    expect(nextTokenAt(LIMIT, undefined, mono(7))).toBe(7);
    const none = takeTokens(LIMIT, undefined, 5, mono(0));
    expect(nextTokenAt(LIMIT, none, mono(0))).toBe(100);
    expect(nextTokenAt(LIMIT, none, mono(40))).toBe(100);
    expect(nextTokenAt({ perSecond: 0.5, burst: 1 }, takeTokens(LIMIT, undefined, 5, mono(0)), mono(0))).toBe(2_000);
  });

  it("can be returned, but never exceed the burst", () => {
    const some = takeTokens(LIMIT, undefined, 4, mono(0));
    expect(tokensLeft(LIMIT, takeTokens(LIMIT, some, -3, mono(0)), mono(0))).toBe(4);
    expect(tokensLeft(LIMIT, takeTokens(LIMIT, some, -30, mono(0)), mono(0))).toBe(5);
  });

  it("are never owed: what was claimed under an earlier limit delays nothing", () => {
    const overdrawn = takeTokens(LIMIT, undefined, 256, mono(0));
    expect(nextTokenAt(LIMIT, overdrawn, mono(0))).toBe(100);
  });

  it("never allow more than the rate and the burst, over any period", () => {
    const limits = fc.record({
      perSecond: fc.double({ min: 0.1, max: 500, noNaN: true }),
      burst: fc.integer({ min: 1, max: 100 }),
    });
    const steps = fc.array(fc.record({ afterMs: fc.nat(2_000), wants: fc.integer({ min: 1, max: 40 }) }));
    fc.assert(
      fc.property(limits, steps, (limit, asked) => {
        const begun: { readonly at: MonoMs; readonly count: number }[] = [];
        let tokens: RateTokens | undefined;
        let now = mono(0);
        for (const { afterMs, wants } of asked) {
          now = mono(now + afterMs);
          const granted = Math.min(wants, tokensLeft(limit, tokens, now));
          tokens = takeTokens(limit, tokens, granted, now);
          begun.push({ at: now, count: granted });
        }
        for (const [first, { at: from }] of begun.entries()) {
          let count = 0;
          for (const one of begun.slice(first)) {
            count += one.count;
            expect(count).toBeLessThanOrEqual(limit.burst + ((one.at - from) * limit.perSecond) / 1_000 + 1e-3);
          }
        }
      }),
    );
  });
});
