// Randomness for ids, which have to be distinct and not secret, in any runtime: some have no cryptographic source.

import type { Random } from "@postrider/core";
import { createSystemRandom } from "./create-random.js";

/** Randomness from the cryptographic source if the runtime has one, otherwise from `Math.random`. Never for a token or a secret. */
export function createIdRandom(): Random {
  const { crypto } = globalThis as { readonly crypto?: Partial<Crypto> };
  if (typeof crypto?.getRandomValues === "function") return createSystemRandom();
  return {
    unit: () => Math.random(),
    bytes: (count) => Uint8Array.from({ length: count }, () => Math.floor(Math.random() * 256)),
  };
}
