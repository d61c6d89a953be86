// Cuts a text for people to a number of characters, and marks the cut. Never splits a surrogate pair.

/** The end of a text that was cut. */
export const CUT_MARK = "…";

/** The text, cut to at most `length` UTF-16 units including the mark. `length` is at least 2. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = length - CUT_MARK.length;
  return text.slice(0, isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end) + CUT_MARK;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
