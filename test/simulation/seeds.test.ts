// A small part of `npm run soak -- seeds`, which plays ten thousand: needs `dist`, which `npm test` builds first.

import { expect, it } from "vitest";
import { PROGRAM, playSeeds } from "./play-seeds.js";

const SEEDS = 300;

it("every seed keeps every promise, through at least one crash", async () => {
  const { failed, seeds, processes } = await playSeeds(PROGRAM, { from: 1, until: 1 + SEEDS });
  expect(failed.map(({ seed, message }) => `${seed}: ${message}`)).toEqual([]);
  expect(seeds).toBe(SEEDS);
  expect(processes).toBeGreaterThan(2 * SEEDS);
});

/**
 * Further seeds that have shown a defect: a round given up while the claim that took its delivery again was under way, a delivery sent
 * by its hand-off after a claim had taken it, a Retry-After forgotten when its destination was removed for a moment, changes of an audience
 * that a process stored although it had stood still and another one had the sync, a replay job that counted what was refused. And what the
 * simulation got wrong: a request taken for that of another delivery of its message, work that a process began before it was frozen and
 * that never ended, a pause that was made after its end.
 * Once the draws change, a seed draws something else; so the same situations are also tested in test/relay and test/simulator.
 */
const ONCE_BROKEN = [
  604, 2_752, 4_882, 5_399, 6_488, 7_861, 8_276, 8_404, 9_337, 9_448, 10_599, 11_230, 11_827, 13_458, 13_619, 14_495,
  16_161, 17_307, 17_596, 17_634, 19_865, 24_781, 25_056, 25_657, 29_426, 31_812, 38_033, 38_855, 41_478, 52_236,
  69_428, 99_004, 135_147, 143_076, 144_317, 166_829,
];

it("seeds that broke a promise once keep every promise", async () => {
  for (const seed of ONCE_BROKEN) {
    const { failed } = await playSeeds(PROGRAM, { from: seed, until: seed + 1 });
    expect(failed).toEqual([]);
  }
});

it("the same seeds give the same runs in another process", async () => {
  const [once, again] = await Promise.all([1, 2].map(() => playSeeds(PROGRAM, { from: 1, until: 21 })));
  expect(again?.traces).toBe(once?.traces);
  expect(once?.traces).toMatch(/^([0-9a-f]{16} ?){20}$/);
});
