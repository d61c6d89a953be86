// Makes texts of other parties fit for a line: escapes the characters with which a text could control a terminal or a log viewer. Several
// commands show such texts (bodies, answers, names), so every line that is written is escaped.

/**
 * Control characters, C0 and C1; marks that change the direction of text; and the two line breaks of Unicode. Line feed and
 * tab stay, since Postrider's texts have them.
 */
const UNPRINTABLE = new RegExp(
  [
    "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]",
    "[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]",
    "[\\u2028\\u2029]",
  ].join("|"),
  "g",
);

/** The text with each unprintable character escaped as in JSON, so that a line of JSON keeps its value. */
export function toPrintable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The reason in words for a thrown value: the message of an error; the value may be no error. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : "unknown fault";
}
