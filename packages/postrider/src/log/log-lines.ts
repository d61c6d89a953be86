// Writes the log of the server: one JSON object per line, with the same keys in the same order, null if a key does not apply; or for a
// person at a terminal, in columns, with a style for each piece. What is logged is decided by the relay and the server.

import type { Clock } from "@postrider/core";
import { defined, formatTimestamp } from "@postrider/core/engine";
import type { Logger } from "@postrider/relay";
import type { ServerLogEntry, ServerLogger, ServerLogLevel } from "./server-logger.js";

const STYLES = { debug: "quiet", info: "strong", warning: "caution", error: "bad" } as const;

const LEVEL_WIDTH = 7;

/** Most codes are as long as this, or shorter. */
const CODE_WIDTH = 20;

/** Matches values that need quotation marks to stand apart from the text around them. */
const NEEDS_QUOTES = /[\s"=]|^$/;

/**
 * A logger that passes each entry to `write` as a line `{ time, level, code, delivery, destination, endpoint, detail }`; some
 * lines have further keys of `LogEntry` behind these.
 */
export function createJsonLogger(clock: Clock, write: (line: string) => void): Logger {
  return createJsonLines(clock, write);
}

/** The same, also for the entries of the program. */
export function createJsonLines(clock: Pick<Clock, "wall">, write: (line: string) => void): ServerLogger {
  return {
    log: (level, { code, delivery, destination, endpoint, detail, ...furtherKeys }) => {
      const line = {
        time: formatTimestamp(clock.wall()),
        level,
        code,
        delivery: delivery ?? null,
        destination: destination ?? null,
        endpoint: endpoint ?? null,
        detail: detail ?? null,
      };
      write(JSON.stringify({ ...line, ...defined(furtherKeys) }));
    },
  };
}

interface StyledPiece {
  readonly text: string;
  readonly style: "bad" | "caution" | "quiet" | "strong";
}

/** The pieces of one line, from left to right. */
export type TextLine = readonly (string | StyledPiece)[];

/** A logger that passes each entry to `write` as one line: time, level, code and detail, and the other fields as KEY=VALUE. */
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
