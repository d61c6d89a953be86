// Draws from a random source: choices, numbers and shares.

import type { Random } from "@postrider/core";

export interface Dice {
  /** A whole number from `from` to `to`, both included. */
  whole(from: number, to: number): number;
  pick<T>(from: readonly [T, ...T[]] | readonly T[]): T;
  /** A whole number from 1 to `longest`; each power of ten is equally likely. */
  size(longest: number): number;
  /** True with a probability of `share` percent. */
  percent(share: number): boolean;
}

export function createDice(random: Random): Dice {
  const whole = (from: number, to: number): number => from + Math.floor(random.unit() * (to - from + 1));
  return {
    whole,
    pick: <T>(from: readonly T[]): T => {
      const picked = from[whole(0, from.length - 1)];
      if (picked === undefined) throw new Error("nothing to pick from");
      return picked;
    },
    size: (longest) => Math.round(10 ** (random.unit() * Math.log10(longest))),
    percent: (share) => random.unit() * 100 < share,
  };
}
