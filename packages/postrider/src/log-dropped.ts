// Tells the operator that connections are turned away or make room for others: loudly, but not once for each of them,
// since what fills a server would fill its log as well.

import type { Clock, MonoMs } from "@postrider/core";
import type { LogEntry, Logger } from "@postrider/relay";

/** How long the log is silent after an entry. */
const SILENCE_MS = 10_000;

type Monotonic = Pick<Clock, "monotonic">;

/** Answers what to call for each connection that is dropped. */
export function logDropped(logger: Logger, clock: Monotonic, maxConnections: number): () => void {
  const detail = `${String(maxConnections)} are open, no more are taken`;
  return logSeldom(clock, (entry) => logger.log("error", { code: "too-many-connections", detail, ...entry }));
}

/** Answers what to call for each connection that is closed to make room for another. */
export function logDisplaced(logger: Logger, clock: Monotonic, maxConnections: number): () => void {
  const detail = `${String(maxConnections)} are open; one that has shown no known key made room for a new one`;
  return logSeldom(clock, (entry) => logger.log("warning", { code: "connections-displaced", detail, ...entry }));
}

function logSeldom(clock: Monotonic, write: (entry: Pick<LogEntry, "suppressed">) => void): () => void {
  let loggedAt: MonoMs | undefined;
  let suppressed = 0;
  return () => {
    const now = clock.monotonic();
    if (loggedAt !== undefined && now - loggedAt < SILENCE_MS) {
      suppressed += 1;
      return;
    }
    loggedAt = now;
    write(suppressed === 0 ? {} : { suppressed });
    suppressed = 0;
  };
}
