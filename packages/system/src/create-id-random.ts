// Randomness for ids and delays, which have to be distinct and not secret, in any runtime: some have no cryptographic source. Pages load
// this file, so it is short.

import type { Random } from "@postrider/core";

/** Bytes that are drawn from the source at once: a draw takes some microseconds for any length. */
const BLOCK_BYTES = 4_096;

/** Bytes from the cryptographic source if the runtime has one, and numbers from `Math.random`. Never for a token or a secret. */
export function createIdRandom(): Random {
  const block = new Uint8Array(BLOCK_BYTES);
  // The block is filled at the first use: some runtimes give no randomness while a program is loaded.
  let nextUnused = BLOCK_BYTES;
  return {
    unit: () => Math.random(),
    bytes: (count) => {
      const result = new Uint8Array(count);
      for (let index = 0; index < count; index += 1) {
        if (nextUnused === BLOCK_BYTES) {
          fill(block);
          nextUnused = 0;
        }
        result[index] = Number(block[nextUnused++]);
      }
      return result;
    },
  };
}

function fill(block: Uint8Array<ArrayBuffer>): void {
  const { crypto } = globalThis as { readonly crypto?: Partial<Crypto> };
  if (typeof crypto?.getRandomValues === "function") crypto.getRandomValues(block);
  else for (let index = 0; index < BLOCK_BYTES; index += 1) block[index] = Math.random() * 256;
}
