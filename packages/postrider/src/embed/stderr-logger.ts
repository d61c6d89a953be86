// The logger of a host that gives none: warnings and errors on stderr, a JSON object per line.

import type { Clock } from "@postrider/core";
import type { Logger } from "@postrider/relay";
import { createJsonLogger } from "../log/log-lines.js";
import { toPrintable } from "../log/printable.js";

export function createStderrLogger(clock: Clock): Logger {
  const logger = createJsonLogger(clock, (line) => process.stderr.write(`${toPrintable(line)}\n`));
  return {
    log: (level, entry) => {
      if (level !== "info") logger.log(level, entry);
    },
  };
}
