// The logger of a client: structured lines of codes, counts and ids, never a call, a header or the write key.

/** The severity of a log entry of a client. */
type ClientLogLevel = "debug" | "warning" | "error";

/** One log entry: a stable code and numbers. It never contains the content of a call, nor the write key. */
export interface ClientLogEntry {
  /** A stable code, such as `batch-again`. */
  readonly code: string;
  /** The number of calls that the entry is about. */
  readonly calls?: number;
  /** The size of the calls that the entry is about, in bytes. */
  readonly bytes?: number;
  /** The number of the try of a batch, from 1. */
  readonly tries?: number;
  /** The cause, as a code. */
  readonly detail?: string;
  /** The delay before the next try, in milliseconds. */
  readonly afterMs?: number;
}

/** Receives the log entries of a client. Exceptions that it throws have no effect. */
export interface ClientLogger {
  /** Gets one entry, synchronously. */
  log(level: ClientLogLevel, entry: ClientLogEntry): void;
}

/** A logger that does not throw: the host's, or the console if `DEBUG` names it, or none. */
export function createLogger(hostLogger: ClientLogger | undefined): ClientLogger {
  const logger = hostLogger ?? (isDebugging() ? CONSOLE : undefined);
  return {
    log: (level, entry): void => {
      try {
        logger?.log(level, entry);
      } catch {
        // A faulty logger must not stop calls.
      }
    },
  };
}

const CONSOLE: ClientLogger = {
  log: (level, entry) => {
    globalThis.console.error(`analytics ${level}`, JSON.stringify(entry));
  },
};

/**
 * True if `DEBUG` names `analytics` (spec, client library §4): alone, in a list, or by a pattern such as `*` or `analytics:*`. False where
 * there is no environment, or it must not be read, as in Deno without a permission.
 */
function isDebugging(): boolean {
  try {
    const { process } = globalThis as { readonly process?: { readonly env?: { readonly DEBUG?: string } } };
    const patterns = (process?.env?.DEBUG ?? "").split(/[\s,]+/);
    return patterns.some((pattern) => /^(\*|analytics:?\*?)$/.test(pattern));
  } catch {
    return false;
  }
}
