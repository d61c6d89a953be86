// The log of the program: what a host's logger gets, and beside it a level for debugging and the line with which a server
// starts. Must not know how lines look.

import type { LogEntry, Logger, LogLevel } from "@postrider/relay";

export type ServerLogLevel = LogLevel | "debug";

export interface ServerLogEntry extends LogEntry {
  readonly version?: string;
  /** The version of Node.js. */
  readonly node?: string;
  readonly store?: string;
  /** How many sources and destinations the config has. */
  readonly sources?: number;
  readonly destinations?: number;
  /** Whether the API is on, and whether callers are served by TLS. */
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

/** Passes on the entries of this level and of more important ones. */
export function createLevelFilter(logger: ServerLogger, least: ServerLogLevel): ServerLogger {
  const passed = new Set(LEVELS.slice(LEVELS.indexOf(least)));
  return {
    log: (level, entry) => {
      if (passed.has(level)) logger.log(level, entry);
    },
  };
}
