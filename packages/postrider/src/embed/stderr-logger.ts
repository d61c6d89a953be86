// The logger of a host that gives none: warnings and errors on stderr, as text on a terminal, otherwise a JSON object per line.

import type { Clock } from "@postrider/core";
import type { Logger } from "@postrider/relay";
import { createJsonLines } from "../log/log-lines.js";
import { toPrintable } from "../log/printable.js";
import { createLevelFilter } from "../log/server-logger.js";
import { createTextLines, plainLine } from "../log/text-lines.js";

/** The stream to which lines are written, and whether it is a terminal. */
export interface ErrorStream {
  readonly isTTY: boolean;
  write(text: string): unknown;
}

export function createStderrLogger(clock: Pick<Clock, "wall">, stderr: ErrorStream = process.stderr): Logger {
  const write = (line: string): void => void stderr.write(`${toPrintable(line)}\n`);
  const logger = stderr.isTTY
    ? createTextLines(clock, (line) => write(plainLine(line)))
    : createJsonLines(clock, write);
  return createLevelFilter(logger, "warning");
}
