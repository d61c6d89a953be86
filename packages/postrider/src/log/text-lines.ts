// Writes the log for a person at a terminal: one line per entry, with time, level, code and detail in columns, and the other
// fields behind them as KEY=VALUE. Names the style of each piece; who writes the line decides how a style looks.

import type { Clock } from "@postrider/core";
import { defined, formatTimestamp } from "@postrider/core/engine";
import type { ServerLogEntry, ServerLogger, ServerLogLevel } from "./server-logger.js";

export interface StyledPiece {
  readonly text: string;
  readonly style: "bad" | "caution" | "quiet" | "strong";
}

/** The pieces of one line, from left to right. */
export type TextLine = readonly (string | StyledPiece)[];

const STYLES = { debug: "quiet", info: "strong", warning: "caution", error: "bad" } as const;
const LEVEL_WIDTH = 7;
/** Most codes are as long as this, or shorter. */
const CODE_WIDTH = 20;
/** What would need quotation marks to be told from the text around it. */
const NEEDS_QUOTES = /[\s"=]|^$/;

/** A logger that passes each entry to `write` as one line. */
export function createTextLines(clock: Pick<Clock, "wall">, write: (line: TextLine) => void): ServerLogger {
  return { log: (level, entry) => write(lineOf(formatTimestamp(clock.wall()), level, entry)) };
}

/** The text of a line, without styles. */
export function plainLine(line: TextLine): string {
  return line.map((piece) => (typeof piece === "string" ? piece : piece.text)).join("");
}

function lineOf(time: string, level: ServerLogLevel, { code, detail, ...fields }: ServerLogEntry): TextLine {
  const text = [...(detail === undefined ? [] : [inOneLine(detail)]), ...fieldsOf(fields)].join(" ");
  return [
    { text: time, style: "quiet" },
    " ",
    { text: level.padEnd(LEVEL_WIDTH), style: STYLES[level] },
    " ",
    text === "" ? code : `${code.padEnd(CODE_WIDTH)} ${text}`,
  ];
}

function fieldsOf(fields: Omit<ServerLogEntry, "code" | "detail">): readonly string[] {
  return Object.entries(defined(fields)).map(([key, value]) => `${key}=${valueOf(value)}`);
}

function valueOf(value: string | number | boolean): string {
  const text = String(value);
  return NEEDS_QUOTES.test(text) ? JSON.stringify(text) : text;
}

function inOneLine(text: string): string {
  return text.replace(/[\n\t]/g, (character) => (character === "\n" ? "\\n" : "\\t"));
}
