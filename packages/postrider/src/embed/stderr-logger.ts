// The logger of a host that gives none: warnings and errors on stderr, as text on a terminal, otherwise a JSON object per line.

import type { Clock } from "@postrider/core";
import type { Logger } from "@postrider/relay";
import { createJsonLines } from "../log/log-lines.js";
import { toPrintable } from "../log/printable.js";
import { createLevelFilter } from "../log/server-logger.js";
import { createTextLines, plainLine } from "../log/text-lines.js";

export function createStderrLogger(clock: Clock): Logger {
  const { stderr } = process;
  const write = (line: string): void => void stderr.write(`${toPrintable(line)}\n`);
  const logger = stderr.isTTY
    ? createTextLines(clock, (line) => write(plainLine(line)))
    : createJsonLines(clock, write);
  return createLevelFilter(logger, "warning");
}
