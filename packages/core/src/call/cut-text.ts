// Shortens a text that people will read, such as an error message, and marks the cut. Never splits a surrogate pair.

/** The last character of a text that was cut. */
export const CUT_MARK = "…";

/** The text, shortened to at most `length` UTF-16 units including the mark. `length` must be at least 2. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = length - CUT_MARK.length;
  return text.slice(0, isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end) + CUT_MARK;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
