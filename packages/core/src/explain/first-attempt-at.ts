// When the first round of a delivery started, which began its retry window. After a clock was set back a later round may have
// started earlier, so the number of the round decides.

import type { AttemptRecord } from "../delivery/delivery.js";
import type { EpochMs } from "../ids.js";

/** Undefined if no attempt is recorded. */
export function firstAttemptAt(attempts: readonly AttemptRecord[]): EpochMs | undefined {
  let first = attempts[0];
  for (const attempt of attempts) if (first === undefined || attempt.round < first.round) first = attempt;
  return first?.startedAt;
}
