// The randomness of the host runtime: all of it from the cryptographic source, so that no caller has to ask which is
// good enough for a token.

import type { Random } from "@postrider/core";

/** The most that the platform hands out at once, in bytes. */
const MAX_DRAW_BYTES = 65_536;

/** Randomness from `crypto.getRandomValues`. */
export function createSystemRandom(): Random {
  return { unit, bytes };
}

/** 53 random bits, the precision of a number. */
function unit(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return ((high >>> 5) * 2 ** 26 + (low >>> 6)) / 2 ** 53;
}

function bytes(count: number): Uint8Array {
  const drawn = new Uint8Array(count);
  for (let from = 0; from < count; from += MAX_DRAW_BYTES) {
    crypto.getRandomValues(drawn.subarray(from, from + MAX_DRAW_BYTES));
  }
  return drawn;
}
