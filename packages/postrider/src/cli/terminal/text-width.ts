// Measures how many columns of a terminal a text takes: most characters one, East Asian ones and emoji two, combining marks
// none. Terminals differ for rare characters; a table is then out of line there, and nothing is lost.

const WIDE =
  /\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Emoji_Presentation}|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u;
const ZERO = /\p{Mark}|\p{Default_Ignorable_Code_Point}/u;
const ELLIPSIS = "…";

export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** The text, or its beginning and `…` if it is wider than `width`. */
export function cutToWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let cut = "";
  let left = width - 1;
  for (const character of text) {
    left -= characterWidth(character);
    if (left < 0) break;
    cut += character;
  }
  return cut + ELLIPSIS;
}

function characterWidth(character: string): number {
  if (character <= "~") return 1;
  if (ZERO.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
