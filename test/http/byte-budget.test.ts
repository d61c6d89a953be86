import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createByteBudget } from "../../packages/http/src/budgets.js";

describe("a byte budget", () => {
  it("reserves up to its bound, and not one byte more", () => {
    const budget = createByteBudget(10);
    const [first, second] = [budget.open(), budget.open()];
    expect([first.reserve(6), second.reserve(5), second.reserve(4), first.reserve(1), first.reserve(0)]).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
    expect([budget.fits(0), budget.fits(1)]).toEqual([true, false]);
  });

  it("releases the bytes of a reservation once", () => {
    const budget = createByteBudget(10);
    const [first, second] = [budget.open(), budget.open()];
    first.reserve(6);
    second.reserve(4);
    first.release();
    first.release();
    expect([budget.fits(6), budget.fits(7)]).toEqual([true, false]);
  });

  it("never exceeds its bound, and is empty once all is released", () => {
    const steps = fc.array(fc.tuple(fc.nat(4), fc.nat(60), fc.boolean()));
    fc.assert(
      fc.property(fc.nat(100), steps, (limit, todo) => {
        const budget = createByteBudget(limit);
        const reservations = Array.from({ length: 5 }, () => ({ reservation: budget.open(), bytes: 0 }));
        for (const [index, bytes, isRelease] of todo) {
          const one = reservations[index]!;
          if (isRelease) {
            one.reservation.release();
            one.bytes = 0;
          } else if (one.reservation.reserve(bytes)) one.bytes += bytes;
          const reserved = reservations.reduce((sum, entry) => sum + entry.bytes, 0);
          expect(reserved).toBeLessThanOrEqual(limit);
          expect(budget.fits(limit - reserved)).toBe(true);
          expect(budget.fits(limit - reserved + 1)).toBe(false);
        }
        for (const { reservation } of reservations) reservation.release();
        expect(budget.fits(limit)).toBe(true);
      }),
    );
  });
});
