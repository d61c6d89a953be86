// Decides when gathered changes are committed (decision: commits at once): at once if a caller waits for them; otherwise after a short
// delay or once there are enough rows, so that many share one fsync. Changes that come while a commit is under way gather anyway.

import { type MonoMs, plusMs } from "../ids.js";
import { GATHER_ROWS } from "../limits.js";

/** The changes that wait for a commit. */
export interface PendingRows {
  /** Calls, settlements, replays and late attempts; at least 1. */
  readonly rows: number;
  /** The instant at which the first of the rows was added. */
  readonly since: MonoMs;
  /** True if a caller waits for one of them: a call or a replay. */
  readonly isAwaited: boolean;
}

/** The instant of the next commit; one in the past means at once. No change waits longer than `gatherMs` for further changes. */
export function commitAt({ rows, since, isAwaited }: PendingRows, gatherMs: number): MonoMs {
  return isAwaited || rows >= GATHER_ROWS ? since : plusMs(since, gatherMs);
}
