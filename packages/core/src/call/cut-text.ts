// Cuts a text for people to at most so many characters, and shows that it did. Half a character is never left.

/** Stands at the end of what was cut. */
export const CUT_MARK = "…";

/** The text, or as much of it as fits before the mark. `length` is in UTF-16 units, and at least 2. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = length - CUT_MARK.length;
  return text.slice(0, isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end) + CUT_MARK;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
