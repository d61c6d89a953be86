import { describe, expect, it } from "vitest";
import { createSystemRandom } from "@postrider/system";

describe("the system's randomness", () => {
  it("draws units from 0 up to, but not 1, on both sides of the middle", () => {
    const random = createSystemRandom();
    const draws = Array.from({ length: 2_000 }, () => random.unit());
    expect(draws.every((draw) => draw >= 0 && draw < 1)).toBe(true);
    const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.05);
    expect(new Set(draws).size).toBe(draws.length);
  });

  it.each([0, 1, 32, 65_536, 65_537, 200_000])("draws %i bytes", (count) => {
    expect(createSystemRandom().bytes(count)).toHaveLength(count);
  });

  it("leaves no part of a long draw untouched", () => {
    const drawn = createSystemRandom().bytes(200_000);
    for (let from = 0; from < drawn.length; from += 1_000) {
      expect(drawn.subarray(from, from + 1_000).some((byte) => byte !== 0)).toBe(true);
    }
  });

  it("draws different tokens", () => {
    const random = createSystemRandom();
    expect(random.bytes(16)).not.toEqual(random.bytes(16));
  });
});
