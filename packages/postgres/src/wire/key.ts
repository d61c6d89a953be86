// Keys of texts: 128 bits of a hash, since a text may be longer than what an index holds. Each text has its length before it, so that
// two lists of texts never have the same bytes.

import { createHash } from "node:crypto";
import { encodeAnyText } from "./text.js";

const KEY_BYTES = 16;

/** The key of one or more texts, as the 16 bytes of a `uuid`. */
export function hashKeyOf(...texts: readonly string[]): Buffer {
  const hash = createHash("sha256");
  for (const text of texts) {
    const bytes = encodeAnyText(text);
    const length = Buffer.allocUnsafe(4);
    length.writeUInt32BE(bytes.length, 0);
    hash.update(length).update(bytes);
  }
  return hash.digest().subarray(0, KEY_BYTES);
}
