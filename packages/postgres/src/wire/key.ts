// Keys of texts: 128 bits of a hash, since a text may be longer than what an index holds. Each text has its length before it, so that
// two lists of texts never have the same bytes.

import { hash } from "node:crypto";
import { holderOf, type LeaseToken } from "@postrider/core";
import { encodeAnyText } from "./text.js";

const KEY_BYTES = 16;

/** The key of one or more texts, as the 16 bytes of a `uuid`. */
export function hashKeyOf(...texts: readonly string[]): Buffer {
  return Buffer.from(hashTextOf(...texts), "latin1");
}

/** The same key as a text of which each character is a byte: no buffer is made for it, which matters where keys are many. */
export function hashTextOf(...texts: readonly string[]): string {
  let joined = "";
  for (const text of texts) joined += `${String(text.length)}:${text}`;
  return hash("sha256", joined.isWellFormed() ? joined : encodeAnyText(joined), "binary").slice(0, KEY_BYTES);
}

/** A lease token as two values: its key, and the name of the process that holds it. */
export function tokenValues(token: LeaseToken): readonly [Buffer, Buffer] {
  return [hashKeyOf(token), encodeAnyText(holderOf(token))];
}
