// The randomness of the host runtime: all of it comes from the cryptographic source, so that any of it is good enough
// for a token.

import type { Random } from "@postrider/core";

/** Bytes that are drawn from the source at once. */
const BLOCK_BYTES = 8_192;

/** The bytes from which `unit` makes one number. */
const UNIT_BYTES = 8;

/**
 * Randomness from `crypto.getRandomValues`. That function takes some microseconds for any length, so a whole block is
 * drawn at once. This is as secure: each byte of the block is handed out once, and then overwritten; the unused bytes
 * are only in the memory of this process, which holds the tokens as well.
 */
export function createSystemRandom(): Random {
  const block = new Uint8Array(BLOCK_BYTES);
  const words = new DataView(block.buffer);
  // The block is filled at the first use: some runtimes give no randomness while a program is loaded.
  let nextUnused = BLOCK_BYTES;

  /** Returns the offset of the next `count` unused bytes in the block, and counts them as used. */
  function take(count: number): number {
    if (nextUnused + count > BLOCK_BYTES) {
      crypto.getRandomValues(block);
      nextUnused = 0;
    }
    nextUnused += count;
    return nextUnused - count;
  }

  return {
    /** 53 random bits, the precision of a number. */
    unit: () => {
      const from = take(UNIT_BYTES);
      const high = words.getUint32(from) >>> 5;
      const low = words.getUint32(from + 4) >>> 6;
      block.fill(0, from, from + UNIT_BYTES);
      return (high * 2 ** 26 + low) / 2 ** 53;
    },
    bytes: (count) => {
      const result = new Uint8Array(count);
      let from = 0;
      for (let index = 0; index < count; index += 1) {
        if (index % BLOCK_BYTES === 0) from = take(Math.min(BLOCK_BYTES, count - index)) - index;
        // Most draws are of few bytes, which cost less one by one than by views of the block.
        result[index] = Number(block[from + index]);
        block[from + index] = 0;
      }
      return result;
    },
  };
}
