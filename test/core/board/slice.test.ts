import { type BoardTokens, monoMs } from "@postrider/core";
import { leasedLeft, nextSliceAt, takeSlice } from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wall } from "./builders.js";

const LIMIT = { perSecond: 100, burst: 20 };

describe("a slice of a rate limit", () => {
  it("is a quarter of a second's worth, in parts, and never more than there is or is wanted", () => {
    const taken = (left: number, share: number, wanted = 1_000) =>
      takeSlice(LIMIT, { left, at: wall(0) }, { share, wanted }, wall(0)).taken;
    expect([taken(20, 1), taken(20, 0.25), taken(5, 0.5), taken(20, 1, 3), taken(0.9, 1)]).toEqual([20, 6, 5, 3, 0]);
    // One at a time, where a part would be less.
    expect([taken(1, 0.01), taken(20, 0)]).toEqual([1, 1]);
  });

  it("comes from a full bucket at first, and the next one when there is a whole token", () => {
    const { tokens, taken } = takeSlice(LIMIT, undefined, { share: 1, wanted: 30 }, wall(0));
    expect([taken, tokens]).toEqual([20, { left: 0, at: wall(0) }]);
    expect(nextSliceAt(LIMIT, tokens, 0, wall(0))).toBe(wall(10));
    expect(nextSliceAt(LIMIT, tokens, 0, wall(15))).toBe(wall(15));
    expect(nextSliceAt(LIMIT, tokens, 0.25, wall(0))).toBe(wall(60));
    expect(nextSliceAt(LIMIT, tokens, 1, wall(0))).toBe(wall(100));
    expect(nextSliceAt({ perSecond: 0.5, burst: 1 }, { left: 0, at: wall(0) }, 1, wall(500))).toBe(wall(2_000));
  });

  it("does not come from a time that the store's clock has left again", () => {
    const { taken, tokens } = takeSlice(LIMIT, { left: 2, at: wall(60_000) }, { share: 1, wanted: 9 }, wall(0));
    expect([taken, tokens.left]).toEqual([2, 0]);
    expect(nextSliceAt(LIMIT, tokens, 0, wall(0))).toBe(wall(10));
  });

  it("can be used for its time, and not after it", () => {
    const leased = { left: 3, until: monoMs(250), askAt: monoMs(0) };
    expect([leasedLeft(leased, monoMs(249)), leasedLeft(leased, monoMs(250))]).toEqual([3, 0]);
    expect(leasedLeft({ ...leased, left: -1 }, monoMs(0))).toBe(0);
  });

  it("never makes all processes have more than the rate and the burst, over any period", () => {
    const limits = fc.record({
      perSecond: fc.double({ min: 0.1, max: 500, noNaN: true }),
      burst: fc.integer({ min: 1, max: 100 }),
    });
    const asks = fc.array(
      fc.record({ afterMs: fc.nat(2_000), wanted: fc.nat(60), share: fc.constantFrom(0, 0.25, 0.5, 1) }),
    );
    fc.assert(
      fc.property(limits, asks, (limit, asked) => {
        const granted: { readonly at: number; readonly count: number }[] = [];
        let tokens: BoardTokens | undefined;
        let now = 0;
        for (const { afterMs, ...request } of asked) {
          now += afterMs;
          const slice = takeSlice(limit, tokens, request, wall(now));
          ({ tokens } = slice);
          granted.push({ at: now, count: slice.taken });
        }
        granted.forEach((from, first) => {
          let sum = 0;
          for (const one of granted.slice(first)) {
            sum += one.count;
            expect(sum).toBeLessThanOrEqual(limit.burst + ((one.at - from.at) * limit.perSecond) / 1_000 + 1e-3);
          }
        });
      }),
    );
  });
});
