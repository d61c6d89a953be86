// Decides whether a call is small enough, by the UTF-8 bytes of its JSON text (spec, client library §8). Counts without
// encoding: a surrogate pair is four bytes, and JSON text has no lone surrogates, since JSON escapes them.

import type { Refusal } from "../call/refusal.js";
import { MAX_CALL_BYTES } from "../limits.js";

/** The refusal of a call that is larger than 32,768 bytes. `text` is the JSON text of the whole call. */
export function checkSize(text: string): Refusal | undefined {
  // A UTF-16 unit takes at most three bytes.
  if (text.length * 3 <= MAX_CALL_BYTES || utf8Length(text) <= MAX_CALL_BYTES) return undefined;
  return tooLarge();
}

/** The refusal of a call that is too large. */
export function tooLarge(): Refusal {
  return { code: "too-large", path: "", expected: `at most ${String(MAX_CALL_BYTES)} bytes of JSON` };
}

/** The length in UTF-8 bytes of a text without lone surrogates. */
export function utf8Length(text: string): number {
  if (ASCII.test(text)) return text.length;
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) bytes += bytesOf(text.charCodeAt(index));
  return bytes;
}

/** Printable ASCII. Most texts match, and one native regular expression is far cheaper than a loop over characters. */
const ASCII = /^[ -~]*$/;

/** The bytes of one UTF-16 unit. A surrogate pair is two units, which count two bytes each. */
function bytesOf(unit: number): number {
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
}
