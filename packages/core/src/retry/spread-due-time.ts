// Decides whether a retry that is long overdue is delayed once more (decision: downtime and clock steps). After hours
// without a process, or after the clock was set forward, all retries are due at once, which would overload receivers.
// Deliveries that were never tried, or whose window is about to end, are not delayed.

import { type EpochMs, epochMs } from "../ids.js";
import { OVERDUE_MS } from "../limits.js";
import type { RetryPolicy } from "./retry-policy.js";
import { lastSlot } from "./schedule.js";

/** The instants of a claimed delivery that show how late it is. */
export interface Lateness {
  /** Absent if the delivery was never tried. */
  readonly firstAttemptAt?: EpochMs | undefined;
  /** The instant from which the delivery could be claimed. */
  readonly dueAt: EpochMs;
  /** The instant at which this process started claiming, or of the last step of its clock, whichever is later. */
  readonly claimingSince: EpochMs;
}

/** The later due time of the retry, by `draw` from [0, 1), at most `maxRetryMs` from now. Undefined: no further delay. */
export function spreadDueTime(
  { firstAttemptAt, dueAt, claimingSince }: Lateness,
  policy: RetryPolicy,
  draw: number,
  now: EpochMs,
): EpochMs | undefined {
  if (firstAttemptAt === undefined || dueAt >= claimingSince - OVERDUE_MS) return undefined;
  const slot = lastSlot(policy, firstAttemptAt);
  if (now >= slot.from) return undefined;
  const latest = Math.min(now + policy.maxRetryMs, slot.until);
  return epochMs(Math.floor(now + draw * (latest - now)));
}
