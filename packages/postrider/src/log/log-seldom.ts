// Logs what strangers can make happen as often as they like: once, and then only counted for a while, since the log would
// be filled otherwise.

import type { Clock, MonoMs } from "@postrider/core";
import type { LogEntry, Logger, LogLevel } from "@postrider/relay";

/** How long the log is silent after an entry. */
const SILENCE_MS = 10_000;

/** Answers what to call for each time that it happens. */
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
