// What a host hands in to be told, in structured lines, what the client does. Codes, counts and ids only: never a call,
// a header or the write key.

export type LogLevel = "debug" | "warning" | "error";

export interface LogEntry {
  readonly code: string;
  /** How many calls it is about. */
  readonly calls?: number;
  readonly bytes?: number;
  /** Which try of a batch it was, from 1. */
  readonly tries?: number;
  readonly detail?: string;
  readonly afterMs?: number;
}

export interface Logger {
  log(level: LogLevel, entry: LogEntry): void;
}

/** A logger that cannot throw: the host's, or the console where `DEBUG` asks for it, or none. */
export function createLogger(given: Logger | undefined): Logger {
  const logger = given ?? (isDebugging() ? CONSOLE : undefined);
  return {
    log: (level, entry): void => {
      try {
        logger?.log(level, entry);
      } catch {
        // A logger's own fault is the host's to find; calls go on.
      }
    },
  };
}

const CONSOLE: Logger = {
  log: (level, entry) => {
    globalThis.console.error(`analytics ${level}`, JSON.stringify(entry));
  },
};

/** Whether the host runs with `DEBUG=analytics`, alone or in a list (spec, client library §4). */
function isDebugging(): boolean {
  const { process } = globalThis as { readonly process?: { readonly env?: { readonly DEBUG?: string } } };
  return (process?.env?.DEBUG ?? "").split(/[\s,]+/).includes("analytics");
}
