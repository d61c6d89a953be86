// The figures of a mutation run: a wrong interval would be believed.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sample, scoreOf } from "./score.js";

describe("the score of a sample", () => {
  it("has Wilson's interval", () => {
    // By hand: (0.95 + 0.0064 ± 1.96 * 0.0130) / 1.0128.
    expect(scoreOf(285, 300)).toEqual({ score: 95, from: 91.9, until: 96.9 });
    expect(scoreOf(12, 12)).toEqual({ score: 100, from: 75.7, until: 100 });
  });

  it("lies in its interval", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(500), (all, part) => {
        const { score, from, until } = scoreOf(Math.min(part, all), all);
        expect(from).toBeLessThanOrEqual(score);
        expect(until).toBeGreaterThanOrEqual(score);
      }),
    );
  });
});

describe("a sample", () => {
  const items = Array.from({ length: 50 }, (_, place) => place);

  it("has different items, the same for the same seed and others for another", () => {
    expect(new Set(sample(items, 20, 1)).size).toBe(20);
    expect(sample(items, 20, 1)).toEqual(sample(items, 20, 1));
    expect(sample(items, 20, 2)).not.toEqual(sample(items, 20, 1));
  });

  it("is everything if more is asked for", () => {
    expect([...sample(items, 100, 3)].sort((one, other) => one - other)).toEqual(items);
  });
});
