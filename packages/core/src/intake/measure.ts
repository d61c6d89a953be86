// Decides whether a call is small enough: the UTF-8 bytes of its JSON text (spec, client library §8). Counted without
// encoding; a surrogate pair is four bytes, a lone one is written by JSON as an escape and so never gets here.

import type { Refusal } from "../call/refusal.js";
import { MAX_CALL_BYTES } from "../limits.js";

/** `text` is what `JSON.stringify` made of the call, shared fields included. */
export function checkSize(text: string): Refusal | undefined {
  // No character takes more than three bytes for each of its UTF-16 units.
  if (text.length * 3 <= MAX_CALL_BYTES || utf8Length(text) <= MAX_CALL_BYTES) return undefined;
  return tooLarge();
}

/** The refusal of a call that is too long. */
export function tooLarge(): Refusal {
  return { code: "too-large", path: "", expected: `at most ${String(MAX_CALL_BYTES)} bytes of JSON` };
}

/** How many bytes UTF-8 takes for a text without lone surrogates. */
export function utf8Length(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) bytes += bytesOf(text.charCodeAt(index));
  return bytes;
}

/** What most texts are, and one look of the platform at all of it is far cheaper than ours at each character. */
const PLAIN = /^[ -~]*$/;

/** A character beyond 16 bits is two units of two bytes each. */
function bytesOf(unit: number): number {
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
}
