import { describe, expect, it } from "vitest";
import { createAges } from "../../packages/undici/src/connection.js";

const MEAN_MS = 30_000;

describe("the age of connections", () => {
  const nextAgeMs = createAges(MEAN_MS);
  const ages = Array.from({ length: 100 }, nextAgeMs);

  it("is a fifth more or less than the mean", () => {
    expect(Math.min(...ages)).toBeGreaterThanOrEqual(0.8 * MEAN_MS);
    expect(Math.max(...ages)).toBeLessThanOrEqual(1.2 * MEAN_MS);
    const mean = ages.reduce((sum, age) => sum + age, 0) / ages.length;
    expect(Math.abs(mean - MEAN_MS)).toBeLessThan(0.01 * MEAN_MS);
  });

  it("is spread: of connections that were made together, no tenth of the time ends more than a fifth", () => {
    for (const count of [10, 33, 100]) {
      const tenths = ages.slice(0, count).map((age) => Math.floor((age / MEAN_MS - 0.8) / 0.04));
      const fullest = Math.max(...tenths.map((tenth) => tenths.filter((other) => other === tenth).length));
      expect(fullest).toBeLessThanOrEqual(Math.max(2, count / 5));
    }
  });
});
