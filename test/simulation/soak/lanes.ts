// `npm run soak -- shares`: lanes beside each other in all mixtures of errors, latency and number; prints the worst share and
// the worst wait of each. A minute of simulated time each, of which the second half counts.

import { expect, it } from "vitest";
import { playMixture } from "../fair-share.js";

const PLAY = { forMs: 60_000, fromMs: 30_000, seed: 1 };
const LANES = [1, 2, 4, 5, 10, 20];
const ERRORS: readonly (readonly number[])[] = [[0], [0.02], [0.2], [0, 0.05, 0.2]];
/** Slow ones ask for more than their share, quick ones for a part of it. */
const MIXES = [
  { name: "all 4.5 s", latenciesMs: [4_500], demands: [1.3] },
  { name: "4.5 s and 1 ms", latenciesMs: [4_500, 1], demands: [1.3, 0.5] },
  { name: "4.5 s, most below", latenciesMs: [4_500], demands: [1.3, 0.6, 0.6] },
  { name: "1 ms to 4.5 s", latenciesMs: [4_500, 1, 200, 1_000, 50], demands: [1.3, 0.5, 0.5, 1.3, 0.5] },
];

it.each(LANES.flatMap((lanes) => MIXES.map((mix) => ({ ...mix, lanes }))))(
  "$lanes lanes, $name: each has its fair share",
  async ({ name, lanes, ...mix }) => {
    for (const errors of ERRORS) {
      const fared = await playMixture({ lanes, errors, ...mix, maxPerSecond: 200 }, PLAY);
      const worst = Math.min(...fared.map(({ had }) => had));
      const below = fared.filter(({ isBelow }) => isBelow);
      const late = Math.max(0, ...below.map(({ waitMs, mayWaitMs }) => waitMs.p99 / mayWaitMs));
      console.log(`| ${String(lanes)} | ${name} | ${errors.join(", ")} | ${worst.toFixed(3)} | ${late.toFixed(3)} |`);
      expect(worst).toBeGreaterThanOrEqual(0.9);
      expect(late).toBeLessThanOrEqual(1);
    }
  },
);
