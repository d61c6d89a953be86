// The log of the program: the entries of the relay and its own, filtered by level. Entries that callers can cause as often as they like,
// such as those of lost connections, are throttled, so that they cannot fill the log.

import type { Clock, MonoMs } from "@postrider/core";
import type { LogEntry, Logger, LogLevel } from "@postrider/relay";

export type ServerLogLevel = LogLevel | "debug";

export interface ServerLogEntry extends LogEntry {
  readonly version?: string;
  /** The version of Node.js. */
  readonly node?: string;
  readonly store?: string;
  /** The numbers of sources and of destinations in the config. */
  readonly sources?: number;
  readonly destinations?: number;
  /** True if the API is on, and if callers are served by TLS. */
  readonly api?: boolean;
  readonly tls?: boolean;
  /** The address of a server that listens, and the id of its process in the store. */
  readonly url?: string;
  readonly process?: string;
}

/** A `Logger` that also takes the entries of the program. */
export interface ServerLogger extends Logger {
  log(level: ServerLogLevel, entry: ServerLogEntry): void;
}

/** From the least to the most important. */
const LEVELS: readonly ServerLogLevel[] = ["debug", "info", "warning", "error"];

/** The shortest time between two lines. */
const SILENCE_MS = 10_000;

const NO_HANDSHAKE = "a caller does not trust the certificate, speaks no TLS 1.2 or later, or was too slow";

/** Passes on the entries of this level and of more important ones. */
export function createLevelFilter(logger: ServerLogger, leastLevel: ServerLogLevel): ServerLogger {
  const passedLevels = new Set(LEVELS.slice(LEVELS.indexOf(leastLevel)));
  return {
    log: (level, entry) => {
      if (passedLevels.has(level)) logger.log(level, entry);
    },
  };
}

/** Returns a function to call at each occurrence: it writes one line, and then only counts for a while. The next line has the count. */
export function createThrottledLog(
  logger: Logger,
  clock: Pick<Clock, "monotonic">,
  { level, ...entry }: LogEntry & { readonly level: LogLevel },
): () => void {
  let loggedAt: MonoMs | undefined;
  let suppressed = 0;
  return () => {
    const nowMs = clock.monotonic();
    if (loggedAt !== undefined && nowMs - loggedAt < SILENCE_MS) {
      suppressed += 1;
      return;
    }
    loggedAt = nowMs;
    logger.log(level, suppressed === 0 ? entry : { ...entry, suppressed });
    suppressed = 0;
  };
}

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

/** Returns a function to call for each TLS handshake that fails. */
export function createHandshakeLog(logger: Logger, clock: Monotonic): () => void {
  return createThrottledLog(logger, clock, { level: "warning", code: "handshake-failed", detail: NO_HANDSHAKE });
}
