// What a line may do to the terminal or the log viewer that shows it: nothing. Texts of others (bodies, answers, names in a
// message) are shown by several commands, so that this is applied in the one place where a line is written.

/**
 * Control characters, both kinds; marks that change the direction in which text is shown; and the two line breaks of
 * Unicode. Line feed and tab stay: ours are written with them.
 */
const UNPRINTABLE = new RegExp(
  [
    "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]",
    "[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]",
    "[\\u2028\\u2029]",
  ].join("|"),
  "g",
);

/** The text with each such character as JSON escapes it, so that a line which was JSON stays the same JSON. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
