// In small what `npm run simulate` does with ten thousand: needs `dist`, which `npm test` builds first.

import { expect, it } from "vitest";
import { PROGRAM, playSeeds } from "./play-seeds.js";

const SEEDS = 300;

it("every seed keeps every promise, through a crash at least", async () => {
  const { failed, seeds, processes } = await playSeeds(PROGRAM, { from: 1, until: 1 + SEEDS });
  expect(failed.map(({ seed, message }) => `${seed}: ${message}`)).toEqual([]);
  expect(seeds).toBe(SEEDS);
  expect(processes).toBeGreaterThan(2 * SEEDS);
});

it("the same seeds go the same way in another process", async () => {
  const [once, again] = await Promise.all([1, 2].map(() => playSeeds(PROGRAM, { from: 1, until: 21 })));
  expect(again?.traces).toBe(once?.traces);
  expect(once?.traces).toMatch(/^([0-9a-f]{16} ?){20}$/);
});
