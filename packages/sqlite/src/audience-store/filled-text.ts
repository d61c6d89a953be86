// Encodes a text as bytes that fill a row: trailing blanks, which JSON ignores, are added up to the length that is
// needed.

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();
const BLANK = 0x20;

/**
 * The text as bytes, with trailing blanks. `missing` returns how many blanks to add to a text with the given number of
 * bytes. The text must not end in a blank.
 */
export function filledText(text: string, missing: (length: number) => number): Uint8Array {
  const bytes = ENCODER.encode(text);
  const filled = new Uint8Array(bytes.length + missing(bytes.length)).fill(BLANK);
  filled.set(bytes);
  return filled;
}

/** The text of such bytes, without the blanks; empty if there are no bytes. */
export function textOf(bytes: Uint8Array | undefined): string {
  if (bytes === undefined) return "";
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === BLANK) end -= 1;
  return DECODER.decode(bytes.subarray(0, end));
}
