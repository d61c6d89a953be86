// Logs that connections were dropped or displaced, or had no TLS handshake, with limits on how often.

import type { Clock } from "@postrider/core";
import type { Logger } from "@postrider/relay";
import { createThrottledLog } from "./throttled-log.js";

type Monotonic = Pick<Clock, "monotonic">;

/** Returns a function to call for each dropped connection. */
export function createDroppedLog(logger: Logger, clock: Monotonic, maxConnections: number): () => void {
  const detail = `${String(maxConnections)} are open, no more are accepted`;
  return createThrottledLog(logger, clock, { level: "error", code: "too-many-connections", detail });
}

/** Returns a function to call for each connection that is closed in favour of a new one. */
export function createDisplacedLog(logger: Logger, clock: Monotonic, maxConnections: number): () => void {
  const detail = `${String(maxConnections)} are open; one that has shown no known key was closed for a new one`;
  return createThrottledLog(logger, clock, { level: "warning", code: "connections-displaced", detail });
}

const NO_HANDSHAKE = "a caller does not trust the certificate, speaks no TLS 1.2 or later, or was too slow";

/** Returns a function to call for each TLS handshake that fails. */
export function createHandshakeLog(logger: Logger, clock: Monotonic): () => void {
  return createThrottledLog(logger, clock, { level: "warning", code: "handshake-failed", detail: NO_HANDSHAKE });
}
