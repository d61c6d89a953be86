// Writes the log of the server: one JSON object per line, with the same keys in the same order, null if a key does not apply.
// The keys behind them are only on lines to which they apply. What is logged is decided by the relay and the server.

import type { Clock } from "@postrider/core";
import { defined, formatTimestamp } from "@postrider/core/engine";
import type { Logger } from "@postrider/relay";
import type { ServerLogger } from "./server-logger.js";

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
    log: (level, { code, delivery, destination, endpoint, detail, ...more }) => {
      const line = {
        time: formatTimestamp(clock.wall()),
        level,
        code,
        delivery: delivery ?? null,
        destination: destination ?? null,
        endpoint: endpoint ?? null,
        detail: detail ?? null,
      };
      write(JSON.stringify({ ...line, ...defined(more) }));
    },
  };
}
