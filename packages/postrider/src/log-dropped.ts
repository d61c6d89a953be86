// Tells the operator that connections are turned away: loudly, but not once for each of them, since whoever fills a
// server would fill its log as well.

import type { Clock, MonoMs } from "@postrider/core";
import type { Logger } from "@postrider/relay";

/** How long the log is silent after an entry. */
const SILENCE_MS = 10_000;

/** Answers what to call for each connection that is dropped. */
export function logDropped(logger: Logger, clock: Pick<Clock, "monotonic">, maxConnections: number): () => void {
  const detail = `${String(maxConnections)} are open, no more are taken`;
  let loggedAt: MonoMs | undefined;
  let suppressed = 0;
  return () => {
    const now = clock.monotonic();
    if (loggedAt !== undefined && now - loggedAt < SILENCE_MS) {
      suppressed += 1;
      return;
    }
    loggedAt = now;
    const entry = { code: "too-many-connections", detail };
    logger.log("error", suppressed === 0 ? entry : { ...entry, suppressed });
    suppressed = 0;
  };
}
