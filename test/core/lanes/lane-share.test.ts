import { freeSlotsNeeded, MAX_IN_FLIGHT, MAX_LANE_IN_FLIGHT, slotsInShare } from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_SLOTS_PER_FREE_SLOT } from "../../../packages/core/src/limits.js";
import { maxMinShares } from "./max-min-shares.js";

/** Lanes that take the slots of their share, one at a time, in turn, up to what each wants. */
function fill(wants: readonly number[]): readonly number[] {
  const had = wants.map(() => 0);
  let free = MAX_IN_FLIGHT;
  for (let taken = true; taken;) {
    taken = false;
    for (const [lane, want] of wants.entries()) {
      const has = had[lane] ?? 0;
      if (has >= want || slotsInShare(has, free) === 0) continue;
      had[lane] = has + 1;
      free -= 1;
      taken = true;
    }
  }
  return had;
}

const wants = fc.array(fc.integer({ min: 1, max: MAX_LANE_IN_FLIGHT }), { minLength: 1, maxLength: 20 });

describe("the share of a lane", () => {
  it("is all that it wants if it is alone", () => {
    expect(fill([MAX_LANE_IN_FLIGHT])).toEqual([MAX_LANE_IN_FLIGHT]);
  });

  it("is at least nine tenths of the max-min fair share, and all shares together never exceed the total", () => {
    fc.assert(
      fc.property(wants, (all) => {
        const had = fill(all);
        expect(had.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(MAX_IN_FLIGHT);
        for (const [lane, fair] of maxMinShares(all).entries()) {
          expect(had[lane]).toBeGreaterThanOrEqual(Math.floor(0.9 * fair));
        }
      }),
    );
  });

  it("leaves a slot for a lane that has none yet, while up to 150 others want all of them", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 150 }), (lanes) => {
        const had = fill(Array.from({ length: lanes }, () => MAX_LANE_IN_FLIGHT));
        expect(MAX_IN_FLIGHT - had.reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(1);
      }),
    );
  });

  it("gives a slot that becomes free to a lane that has few rather than to one that has its share", () => {
    const had = fill(Array.from({ length: 10 }, () => MAX_LANE_IN_FLIGHT));
    const free = MAX_IN_FLIGHT - had.reduce((sum, one) => sum + one, 0);
    expect(slotsInShare(Math.max(...had), free)).toBe(0);
    expect(slotsInShare(Math.max(...had) / 2, free)).toBeGreaterThan(0);
    expect(slotsInShare(0, 1)).toBe(1);
  });

  it("is the same taken at once or slot by slot, and tells how many must be free for the next slot", () => {
    const numbers = fc.tuple(fc.nat(MAX_IN_FLIGHT), fc.nat(MAX_IN_FLIGHT));
    fc.assert(
      fc.property(numbers, ([inFlight, free]) => {
        let [had, left] = [inFlight, free];
        while (had < MAX_SLOTS_PER_FREE_SLOT * left) [had, left] = [had + 1, left - 1];
        expect(slotsInShare(inFlight, free)).toBe(had - inFlight);
        expect(slotsInShare(inFlight, free)).toBeLessThanOrEqual(free);
        expect(slotsInShare(inFlight, free) > 0).toBe(free >= freeSlotsNeeded(inFlight));
      }),
    );
  });
});
