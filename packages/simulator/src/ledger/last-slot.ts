// The last stretch of a retry window, said a second time beside core (decision: schedule), so that an error of core is not
// repeated.

import { END_MARGIN_DIVISOR, LAST_SLOT_DIVISOR, MIN_END_MARGIN_MS } from "@postrider/core/engine";

/**
 * When the last slot of the window begins, and the margin that is left free at the end of the window (decision:
 * schedule).
 */
export function lastSlotOf(
  { retryWindowMs }: { readonly retryWindowMs: number },
  firstAttemptAt: number,
): { readonly from: number; readonly marginMs: number } {
  const marginMs = Math.max(retryWindowMs / END_MARGIN_DIVISOR, MIN_END_MARGIN_MS);
  return { marginMs, from: firstAttemptAt + retryWindowMs - Math.max(retryWindowMs / LAST_SLOT_DIVISOR, 2 * marginMs) };
}
