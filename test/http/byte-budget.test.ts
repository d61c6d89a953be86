import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createByteBudget } from "../../packages/http/src/byte-budget.js";

describe("a byte budget", () => {
  it("gives room up to its bound, and not one byte more", () => {
    const budget = createByteBudget(10);
    const [first, second] = [budget.open(), budget.open()];
    expect([first.take(6), second.take(5), second.take(4), first.take(1), first.take(0)]).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
    expect([budget.fits(0), budget.fits(1)]).toEqual([true, false]);
  });

  it("takes back what one request held, once", () => {
    const budget = createByteBudget(10);
    const [first, second] = [budget.open(), budget.open()];
    first.take(6);
    second.take(4);
    first.release();
    first.release();
    expect([budget.fits(6), budget.fits(7)]).toEqual([true, false]);
  });

  it("is never over its bound, and empty once all is given back", () => {
    const steps = fc.array(fc.tuple(fc.nat(4), fc.nat(60), fc.boolean()));
    fc.assert(
      fc.property(fc.nat(100), steps, (limit, todo) => {
        const budget = createByteBudget(limit);
        const holds = Array.from({ length: 5 }, () => ({ hold: budget.open(), bytes: 0 }));
        for (const [index, bytes, isRelease] of todo) {
          const one = holds[index]!;
          if (isRelease) {
            one.hold.release();
            one.bytes = 0;
          } else if (one.hold.take(bytes)) one.bytes += bytes;
          const held = holds.reduce((sum, entry) => sum + entry.bytes, 0);
          expect(held).toBeLessThanOrEqual(limit);
          expect(budget.fits(limit - held)).toBe(true);
          expect(budget.fits(limit - held + 1)).toBe(false);
        }
        for (const { hold } of holds) hold.release();
        expect(budget.fits(limit)).toBe(true);
      }),
    );
  });
});
