// The randomness of the host runtime: all of it from the cryptographic source, so that no caller has to ask which is
// good enough for a token. Asking that source costs some microseconds whatever it is asked for, so it is asked for a block
// at a time. That is as good: each byte of the block is handed out once, and wiped where it stood; what is not yet handed
// out is known to nobody but this process, which knows the tokens as well.

import type { Random } from "@postrider/core";

/** What is asked for at once, in bytes; a longer draw is made of several. */
const BLOCK_BYTES = 8_192;

/** The bytes behind a unit. */
const UNIT_BYTES = 8;

/** Randomness from `crypto.getRandomValues`. */
export function createSystemRandom(): Random {
  const block = new Uint8Array(BLOCK_BYTES);
  const words = new DataView(block.buffer);
  // Filled by the first draw and not before: some runtimes give no randomness while a program is loaded.
  let next = BLOCK_BYTES;

  /** Where in the block so many bytes stand that nobody has had. */
  function take(count: number): number {
    if (next + count > BLOCK_BYTES) {
      crypto.getRandomValues(block);
      next = 0;
    }
    next += count;
    return next - count;
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
      const drawn = new Uint8Array(count);
      for (let done = 0; done < count; done += BLOCK_BYTES) {
        const size = Math.min(BLOCK_BYTES, count - done);
        const from = take(size);
        drawn.set(block.subarray(from, from + size), done);
        block.fill(0, from, from + size);
      }
      return drawn;
    },
  };
}
