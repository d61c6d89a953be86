// Decides whether a retry that is long overdue waits once more (decision: outages of our own): after hours without a
// process, or a clock that was set forward, all retries are due at once, and receivers should not have to take them so.
// A delivery that was never tried is not spread, and neither is one whose window is about to end.

import type { EpochMs } from "../ids.js";
import { OVERDUE_MS } from "../limits.js";
import type { RetryPolicy } from "./retry-policy.js";
import { lastSlot } from "./schedule.js";

/** A claimed delivery, as far as its lateness goes. */
export interface Overdue {
  /** Absent for one that was never tried. */
  readonly firstAttemptAt?: EpochMs | undefined;
  /** Since when it could be claimed. */
  readonly dueAt: EpochMs;
  /** Since when somebody has been looking, by a clock that has not stepped. */
  readonly awakeSince: EpochMs;
}

/** When the retry goes out instead; undefined for now. `draw` from [0, 1). */
export function spreadOverdue(
  { firstAttemptAt, dueAt, awakeSince }: Overdue,
  policy: RetryPolicy,
  draw: number,
  now: EpochMs,
): EpochMs | undefined {
  if (firstAttemptAt === undefined || dueAt >= awakeSince - OVERDUE_MS) return undefined;
  const slot = lastSlot(policy, firstAttemptAt);
  if (now >= slot.from) return undefined;
  const latest = Math.min(now + policy.maxRetryMs, slot.until);
  return Math.floor(now + draw * (latest - now)) as EpochMs;
}
