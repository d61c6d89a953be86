// Logs events that callers can cause as often as they like: one line, and then only a count for a while, so that they cannot
// fill the log.

import type { Clock, MonoMs } from "@postrider/core";
import type { LogEntry, Logger, LogLevel } from "@postrider/relay";

/** The shortest time between two lines. */
const SILENCE_MS = 10_000;

/** Returns a function to call for each event. */
export function logSeldom(
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
