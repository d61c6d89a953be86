// Writes the log of the server: one JSON object per line, with the same keys in the same order, null if a key does not apply.
// Only some lines have the keys source, deletion, audience and suppressed. What is logged is decided by the relay and the
// server.

import type { Clock } from "@postrider/core";
import { defined, formatTimestamp } from "@postrider/core/engine";
import type { Logger } from "@postrider/relay";

/** A logger that passes each entry to `write` as a line `{ time, level, code, delivery, destination, endpoint, detail }`. */
export function createJsonLogger(clock: Clock, write: (line: string) => void): Logger {
  return {
    log: (level, { code, delivery, destination, endpoint, detail, source, deletion, audience, suppressed }) => {
      const line = {
        time: formatTimestamp(clock.wall()),
        level,
        code,
        delivery: delivery ?? null,
        destination: destination ?? null,
        endpoint: endpoint ?? null,
        detail: detail ?? null,
      };
      const more = {
        ...defined({ source, deletion, audience, suppressed }),
      };
      write(JSON.stringify({ ...line, ...more }));
    },
  };
}
