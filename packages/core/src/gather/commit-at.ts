// Decides when what has gathered for the store is committed (decision: group commits): at once after a quiet while, so
// that a lone caller waits for nobody; else a moment later, or as soon as there is enough, so that many share one fsync.
// Knows no store and no timer, and not what the rows are.

import type { MonoMs } from "../ids.js";
import { GATHER_ROWS } from "../limits.js";

/** What waits to be committed. */
export interface Gathered {
  /** Calls, settlements, replays and late attempts; at least 1. */
  readonly rows: number;
  /** When the first of them came. */
  readonly since: MonoMs;
  /** When the commit before ended; absent before the first. */
  readonly lastEndedAt?: MonoMs;
}

/** The instant at which to commit; one that has passed means now. Nobody waits longer than `gatherMs` for others. */
export function commitAt({ rows, since, lastEndedAt }: Gathered, gatherMs: number): MonoMs {
  const isQuiet = lastEndedAt === undefined || since - lastEndedAt > 2 * gatherMs;
  return isQuiet || rows >= GATHER_ROWS ? since : ((since + gatherMs) as MonoMs);
}
