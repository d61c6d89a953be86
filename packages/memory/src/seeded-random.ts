// Pseudo-random numbers: the same seed gives the same sequence. For tests and simulation, never for tokens in
// production.

import type { Random } from "@postrider/core";

/** Creates a source of numbers: a 32-bit counter whose values are mixed, as in splitmix. Any integer is a seed. */
export function createSeededRandom(seed: number): Random {
  let state = seed | 0;

  function word(): number {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  }

  return {
    unit: () => ((word() >>> 5) * 2 ** 26 + (word() >>> 6)) / 2 ** 53,
    bytes: (count) => {
      const bytes = new Uint8Array(count);
      for (let index = 0; index < count; index += 1) bytes[index] = word() >>> 24;
      return bytes;
    },
  };
}
