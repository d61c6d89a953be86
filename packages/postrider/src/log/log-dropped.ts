// Tells the operator that connections are turned away or make room for others, seldom enough that the log is not filled by
// it.

import type { Clock } from "@postrider/core";
import type { Logger } from "@postrider/relay";
import { logSeldom } from "./log-seldom.js";

type Monotonic = Pick<Clock, "monotonic">;

/** Answers what to call for each connection that is dropped. */
export function logDropped(logger: Logger, clock: Monotonic, maxConnections: number): () => void {
  const detail = `${String(maxConnections)} are open, no more are taken`;
  return logSeldom(logger, clock, { level: "error", code: "too-many-connections", detail });
}

/** Answers what to call for each connection that is closed to make room for another. */
export function logDisplaced(logger: Logger, clock: Monotonic, maxConnections: number): () => void {
  const detail = `${String(maxConnections)} are open; one that has shown no known key made room for a new one`;
  return logSeldom(logger, clock, { level: "warning", code: "connections-displaced", detail });
}
