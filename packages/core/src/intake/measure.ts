// Decides whether a call is small enough: the UTF-8 bytes of its JSON text (spec, client library §8). Counted without
// encoding; a surrogate pair is four bytes, a lone one is written by JSON as an escape and so never gets here.

import type { Refusal } from "../call/refusal.js";
import { MAX_CALL_BYTES } from "../limits.js";

/** `text` is what `JSON.stringify` made of the call, shared fields included. */
export function checkSize(text: string): Refusal | undefined {
  // No character takes more than three bytes for each of its UTF-16 units.
  if (text.length * 3 <= MAX_CALL_BYTES || utf8Length(text) <= MAX_CALL_BYTES) return undefined;
  return { code: "too-large", path: "", expected: `at most ${String(MAX_CALL_BYTES)} bytes of JSON` };
}

/** How many bytes UTF-8 takes for a text. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) bytes += bytesOf(character.codePointAt(0) ?? 0);
  return bytes;
}

function bytesOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x1_0000 ? 3 : 4;
}
