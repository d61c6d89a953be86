// The lines that commands write: plain text, or pieces of text with a style, which is a meaning and not a colour. A line is rendered
// for a stream: what could control a terminal is escaped, then colours are added if the stream shows them.

import { toPrintable } from "../../log/printable.js";

/** `good`, `bad` and `caution` judge a thing; `quiet` is less important than the text around it; `strong` is a heading. */
export type Style = "good" | "bad" | "caution" | "quiet" | "strong";

export interface StyledText {
  readonly text: string;
  readonly style: Style;
}

/** One line, or several with line feeds between them. */
export type Line = string | readonly (string | StyledText)[];

/** The parameters of "select graphic rendition" (ECMA-48, 8.3.117). */
const CODES: Readonly<Record<Style, number>> = { good: 32, bad: 31, caution: 33, quiet: 2, strong: 1 };

export function renderLine(line: Line, hasColours: boolean): string {
  if (typeof line === "string" || !hasColours) return toPrintable(plainText(line));
  return line.map((piece) => (typeof piece === "string" ? toPrintable(piece) : colour(piece))).join("");
}

function colour({ text, style }: { readonly text: string; readonly style: Style }): string {
  return `\u001b[${String(CODES[style])}m${toPrintable(text)}\u001b[0m`;
}

/** The text of a line, without styles. */
export function plainText(line: Line): string {
  return typeof line === "string" ? line : line.map(textOf).join("");
}

function textOf(piece: string | StyledText): string {
  return typeof piece === "string" ? piece : piece.text;
}

/**
 * True if a stream gets colours. FORCE_COLOR decides, as Node reads it: `0` and `false` mean no, anything else means yes, also in a pipe.
 * Otherwise only a terminal gets colours, unless NO_COLOR is set or the terminal is dumb.
 */
export function wantsColours(isTerminal: boolean, env: (name: string) => string | undefined): boolean {
  const forced = env("FORCE_COLOR");
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return isTerminal && (env("NO_COLOR") ?? "") === "" && env("TERM") !== "dumb";
}
