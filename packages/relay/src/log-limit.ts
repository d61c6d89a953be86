// Keeps a log readable while there are many faults at once (decision: log limits): for each subject (a code at a
// destination, or of a source) a limited number of lines is written within a window. Further lines are counted, and
// their number is written at the first event after the window. Declares the logger of a host.

import { defined } from "@postrider/core/engine";
import type { Clock, MonoMs } from "@postrider/core";
import { LOG_BURST, LOG_WINDOW_MS, MAX_LOG_SUBJECTS } from "./limits.js";

export interface LogLine {
  readonly level: LogLevel;
  readonly entry: LogEntry;
}

interface LogLimit {
  /** True if the line may be written; otherwise it is counted. */
  admits(line: LogLine): boolean;
  /**
   * The lines with the sums of windows that have ended, each once. Costs almost nothing while no window has left out a
   * line.
   */
  sums(): readonly LogLine[];
}

interface Window {
  readonly line: LogLine;
  readonly beganAt: MonoMs;
  lines: number;
}

/**
 * Limits each subject separately. Counts a bounded number of subjects at once: with more, the window that began first
 * ends early.
 */
export function createLogLimit(clock: Pick<Clock, "monotonic">): LogLimit {
  // A map keeps the order of insertion, and a window is inserted when it begins: the windows that end first come first.
  const windows = new Map<string, Window>();
  const sums: LogLine[] = [];

  function end(subject: string, { line, lines }: Window): void {
    windows.delete(subject);
    if (lines > LOG_BURST) sums.push(sumOf(line, lines - LOG_BURST));
  }

  function endOldest(): void {
    const [oldest] = windows;
    if (oldest !== undefined) end(...oldest);
  }

  function endThoseOver(now: MonoMs): void {
    for (const [subject, window] of windows) {
      if (now - window.beganAt < LOG_WINDOW_MS) return;
      end(subject, window);
    }
  }

  return {
    admits: (line) => {
      const nowMs = clock.monotonic();
      endThoseOver(nowMs);
      const subject = subjectOf(line.entry);
      const window = windows.get(subject);
      if (window === undefined) {
        if (windows.size >= MAX_LOG_SUBJECTS) endOldest();
        windows.set(subject, { line, beganAt: nowMs, lines: 1 });
        return true;
      }
      window.lines += 1;
      return window.lines <= LOG_BURST;
    },
    sums: () => {
      endThoseOver(clock.monotonic());
      return sums.splice(0);
    },
  };
}

function subjectOf({ code, destination = "", source = "" }: LogEntry): string {
  return JSON.stringify([code, destination, source]);
}

/** The line for a window: the fields that its left-out lines have in common, and the number of these lines. */
function sumOf({ level, entry }: LogLine, suppressed: number): LogLine {
  const { code, destination, source } = entry;
  return { level, entry: { code, ...defined({ destination, source }), suppressed } };
}

/** The severity of a log entry. */
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
  /** The number of deliveries, calls, users or other things of its code that the entry is about. */
  readonly count?: number;
  /** The members of the audience, and the changes that its sync has told to destinations. */
  readonly members?: number;
  readonly changes?: number;
  /** The time in milliseconds that it has taken, or takes so far. */
  readonly durationMs?: number;
  /** The number of entries with the same code, and the same destination or source, that were left out in one window. */
  readonly suppressed?: number;
}

/** Receives the log entries of a relay. Exceptions that it throws have no effect. */
export interface Logger {
  log(level: LogLevel, entry: LogEntry): void;
}
