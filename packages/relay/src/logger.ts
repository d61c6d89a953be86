// What the host hands in to be told, in structured lines, what went wrong.

export type LogLevel = "info" | "warning" | "error";

/** Codes and ids only; never a body, a user's id, a header value or a secret. */
export interface LogEntry {
  readonly code: string;
  /** The source of the calls that this is about. */
  readonly source?: string;
  readonly delivery?: string;
  readonly destination?: string;
  readonly endpoint?: string;
  /** The request that this is about. */
  readonly deletion?: string;
  /** The key of the audience that this is about. */
  readonly audience?: string;
  readonly detail?: string;
  /** The entry stands for so many of its code, and of its destination or source, that were left out in a while. */
  readonly suppressed?: number;
}

export interface Logger {
  log(level: LogLevel, entry: LogEntry): void;
}
