// Writes a line for a stream: escapes what could control a terminal, then adds colours if the stream shows them. Only these
// escape sequences ever reach the terminal.

import { toPrintable } from "../../log/printable.js";
import { type Line, plainText, type Style } from "./line.js";

/** The parameters of "select graphic rendition" (ECMA-48, 8.3.117). */
const CODES: Readonly<Record<Style, number>> = { good: 32, bad: 31, caution: 33, quiet: 2, strong: 1 };

export function renderLine(line: Line, hasColours: boolean): string {
  if (typeof line === "string" || !hasColours) return toPrintable(plainText(line));
  return line.map((piece) => (typeof piece === "string" ? toPrintable(piece) : colour(piece))).join("");
}

function colour({ text, style }: { readonly text: string; readonly style: Style }): string {
  return `\u001b[${String(CODES[style])}m${toPrintable(text)}\u001b[0m`;
}

/**
 * Whether a stream gets colours. FORCE_COLOR decides, as Node reads it: `0` and `false` mean no, anything else means yes, also
 * in a pipe. Otherwise only a terminal gets colours, unless NO_COLOR is set or the terminal is dumb.
 */
export function wantsColours(isTerminal: boolean, env: (name: string) => string | undefined): boolean {
  const forced = env("FORCE_COLOR");
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return isTerminal && (env("NO_COLOR") ?? "") === "" && env("TERM") !== "dumb";
}
