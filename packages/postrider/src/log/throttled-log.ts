// Logs what callers can cause as often as they like: writes one line, and then only counts for a while, so that callers
// cannot fill the log. The next line has the count.

import type { Clock, MonoMs } from "@postrider/core";
import type { LogEntry, Logger, LogLevel } from "@postrider/relay";

/** The shortest time between two lines. */
const SILENCE_MS = 10_000;

/** Returns a function to call at each occurrence. */
export function createThrottledLog(
  logger: Logger,
  clock: Pick<Clock, "monotonic">,
  { level, ...entry }: LogEntry & { readonly level: LogLevel },
): () => void {
  let loggedAt: MonoMs | undefined;
  let suppressed = 0;
  return () => {
    const now = clock.monotonic();
    if (loggedAt !== undefined && now - loggedAt < SILENCE_MS) {
      suppressed += 1;
      return;
    }
    loggedAt = now;
    logger.log(level, suppressed === 0 ? entry : { ...entry, suppressed });
    suppressed = 0;
  };
}
