// Random text for tokens and ids, as lower case hexadecimal digits.

import type { Random } from "@postrider/core";

/** The digits of `count` random bytes, two for each. */
export function randomHex(random: Random, count: number): string {
  let hex = "";
  for (const byte of random.bytes(count)) hex += String(HEX[byte]);
  return hex;
}

/** The two digits of each byte. A table for speed, since each commit gets a token. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
