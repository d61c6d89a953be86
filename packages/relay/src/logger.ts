// The interface through which the host receives log entries.

/** How serious a log entry is. */
export type LogLevel = "info" | "warning" | "error";

/** Contains codes and ids only; never a body, a user's id, a header value or a secret. */
export interface LogEntry {
  readonly code: string;
  /** The source of the calls that the entry is about. */
  readonly source?: string;
  readonly delivery?: string;
  readonly destination?: string;
  readonly endpoint?: string;
  /** The deletion request that the entry is about. */
  readonly deletion?: string;
  /** The replay job that the entry is about. */
  readonly job?: string;
  /** The key of the audience that the entry is about. */
  readonly audience?: string;
  readonly detail?: string;
  /** How many deliveries, calls, users or other things of its code the entry is about. */
  readonly count?: number;
  /** The members of the audience, and the changes that its sync has told to destinations. */
  readonly members?: number;
  readonly changes?: number;
  /** How long it has taken, or takes until now, in milliseconds. */
  readonly durationMs?: number;
  /** The number of entries with the same code, and the same destination or source, that were left out in one window. */
  readonly suppressed?: number;
}

/** Receives the log entries of a relay. Exceptions that it throws have no effect. */
export interface Logger {
  log(level: LogLevel, entry: LogEntry): void;
}
