// The score of a sample of mutants, with the interval in which the score of all lies. Pure.

import { createSeededRandom } from "@postrider/memory";

const Z_95 = 1.96;

/**
 * Wilson's interval, which holds for small samples and for shares near 1 too.
 *
 * @param {number} caught
 * @param {number} all - more than 0
 * @returns {{ readonly score: number, readonly from: number, readonly until: number }} in percent
 */
export function scoreOf(caught, all) {
  const share = caught / all;
  const z2 = Z_95 ** 2 / all;
  const middle = share + z2 / 2;
  const spread = Z_95 * Math.sqrt((share * (1 - share)) / all + z2 / (4 * all));
  const percent = (value) => Math.round((1_000 * value) / (1 + z2)) / 10;
  return {
    score: Math.round(1_000 * share) / 10,
    from: percent(middle - spread),
    until: percent(middle + spread),
  };
}

/** Takes `count` items, the same for the same seed. @template T @param {readonly T[]} items @returns {readonly T[]} */
export function sample(items, count, seed) {
  const random = createSeededRandom(seed);
  const left = [...items];
  for (let place = left.length - 1; place > 0; place -= 1) {
    const other = Math.floor(random.unit() * (place + 1));
    [left[place], left[other]] = [left[other], left[place]];
  }
  return left.slice(0, count);
}
