// Keys of texts: 128 bits of a hash, since a text may be longer than what an index holds. Each text has its length before it, so that
// two lists of texts never have the same bytes.

import { createHash } from "node:crypto";
import { encodeAnyText } from "./text.js";

const KEY_BYTES = 16;
const LENGTH_BYTES = 4;

/** The key of one or more texts, as the 16 bytes of a `uuid`. */
export function hashKeyOf(...texts: readonly string[]): Buffer {
  const parts = texts.map(encodeAnyText);
  const bytes = Buffer.allocUnsafe(parts.reduce((sum, part) => sum + LENGTH_BYTES + part.length, 0));
  let at = 0;
  for (const part of parts) {
    at = bytes.writeUInt32BE(part.length, at);
    at += part.copy(bytes, at);
  }
  // By way of a text, so that the key is in Node's pool of bytes: a digest in bytes has a separate buffer each time.
  const digest = createHash("sha256").update(bytes).digest("binary");
  return Buffer.from(digest, "latin1").subarray(0, KEY_BYTES);
}
