// The log of the server: one JSON object per line, the same keys in the same order in each, null where one does not
// apply; which request about users or which audience it is, and how many lines were left out before it, only where there
// is such a thing. Knows nothing of what is worth a line; the relay and the server decide that.

import { type Clock, formatTimestamp } from "@postrider/core";
import type { Logger } from "@postrider/relay";

/** A logger that hands each entry to `write` as a line `{ time, level, code, delivery, destination, endpoint, detail }`. */
export function createLogLines(clock: Clock, write: (line: string) => void): Logger {
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
        ...(source === undefined ? {} : { source }),
        ...(deletion === undefined ? {} : { deletion }),
        ...(audience === undefined ? {} : { audience }),
        ...(suppressed === undefined ? {} : { suppressed }),
      };
      write(JSON.stringify({ ...line, ...more }));
    },
  };
}
