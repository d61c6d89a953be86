// The lines that commands write: plain text, or pieces of text with a style. A style is a meaning, not a colour; render-line.ts
// decides how it looks. The host escapes control characters in the texts.

/** `good`, `bad` and `caution` judge a thing; `quiet` is less important than the text around it; `strong` is a heading. */
export type Style = "good" | "bad" | "caution" | "quiet" | "strong";

export interface StyledText {
  readonly text: string;
  readonly style: Style;
}

/** One line, or several with line feeds between them. */
export type Line = string | readonly (string | StyledText)[];

/** The text of a line, without styles. */
export function plainText(line: Line): string {
  return typeof line === "string" ? line : line.map(textOf).join("");
}

function textOf(piece: string | StyledText): string {
  return typeof piece === "string" ? piece : piece.text;
}
