// Ends work that takes too long, and waits for a delay. Work of the same length shares one timer: its deadlines come in the order in which
// it began, and a timer of the platform for each would cost more than the work itself. The clock that is passed decides how time passes.

import { type MonoMs, plusMs } from "../ids.js";
import type { Cancel, Clock } from "../ports/clock.js";

/** Data without methods, since each request has one: only the functions of `Deadlines` read or change it. */
export interface Deadline {
  readonly at: MonoMs;
  readonly expire: () => void;
  readonly line: DeadlineLine;
}

/** The deadlines of work of one length, the next one first. */
interface DeadlineLine {
  readonly afterMs: number;
  readonly waiting: Set<Deadline>;
  cancelTimer: Cancel | undefined;
}

/** The deadlines of all work that is under way. */
export interface Deadlines {
  /** Calls `expire` once, in `afterMs` milliseconds of monotonic time, unless `end` comes before. */
  begin(afterMs: number, expire: () => void): Deadline;
  /** The work has ended. No effect if its deadline has passed. */
  end(deadline: Deadline): void;
}

/** No timer is pending while there is no deadline. */
export function createDeadlines(clock: Pick<Clock, "monotonic" | "after">): Deadlines {
  // Lengths differ only while settings change, so there are few lines, and an empty one is dropped.
  const lines = new Map<number, DeadlineLine>();

  function lineOf(afterMs: number): DeadlineLine {
    const existing = lines.get(afterMs);
    if (existing !== undefined) return existing;
    const line: DeadlineLine = { afterMs, waiting: new Set(), cancelTimer: undefined };
    line.cancelTimer = clock.after(afterMs, () => expireDue(line));
    lines.set(afterMs, line);
    return line;
  }

  function expireDue(line: DeadlineLine): void {
    line.cancelTimer = undefined;
    for (const deadline of line.waiting) {
      const leftMs = deadline.at - clock.monotonic();
      if (leftMs > 0) {
        line.cancelTimer = clock.after(leftMs, () => expireDue(line));
        return;
      }
      line.waiting.delete(deadline);
      deadline.expire();
    }
    drop(line);
  }

  function drop(line: DeadlineLine): void {
    line.cancelTimer?.();
    line.cancelTimer = undefined;
    if (lines.get(line.afterMs) === line) lines.delete(line.afterMs);
  }

  return {
    begin: (afterMs, expire) => {
      // Read before the timer of a new line is set, so that its deadline is over when that fires.
      const at = plusMs(clock.monotonic(), afterMs);
      const line = lineOf(afterMs);
      const deadline = { at, expire, line };
      line.waiting.add(deadline);
      return deadline;
    },
    end: (deadline): void => {
      const { line } = deadline;
      if (line.waiting.delete(deadline) && line.waiting.size === 0) drop(line);
    },
  };
}

/** Resolves after `delayMs` milliseconds. */
export function pauseFor(clock: Pick<Clock, "after">, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve);
  });
}
