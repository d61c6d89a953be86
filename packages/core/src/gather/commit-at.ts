// Decides when gathered changes are committed (decision: group commits): at once after a quiet period, so that a single caller
// does not wait; otherwise after a short delay or once there are enough rows, so that many changes share one fsync. Knows no
// store, no timer, and no content of the rows.

import { type MonoMs, plusMs } from "../ids.js";
import { GATHER_ROWS } from "../limits.js";

/** The changes that wait for a commit. */
export interface PendingRows {
  /** Calls, settlements, replays and late attempts; at least 1. */
  readonly rows: number;
  /** When the first of the rows was added. */
  readonly since: MonoMs;
  /** When the previous commit ended; absent before the first. */
  readonly lastEndedAt?: MonoMs;
}

/** When to commit; an instant in the past means at once. No change waits longer than `gatherMs` for further changes. */
export function commitAt({ rows, since, lastEndedAt }: PendingRows, gatherMs: number): MonoMs {
  const isQuiet = lastEndedAt === undefined || since - lastEndedAt > 2 * gatherMs;
  return isQuiet || rows >= GATHER_ROWS ? since : plusMs(since, gatherMs);
}
