// Decides how much of a claim is for retries: one of five deliveries, where both kinds are due (decision: lanes). The remainder
// of a claim carries over to the next one, so that small claims get their fifth as well. Probes alternate between the kinds
// (decision: lane health), so that a message that no receiver takes does not block the others. Must not know which deliveries are due.

import { RETRY_EVERY } from "../limits.js";
import type { Backoff } from "./pace.js";

/** The share of retries in a claim. */
export interface RetryShare {
  readonly retries: number;
  /** The remainder, to be passed to the next claim of this lane. */
  readonly carry: number;
}

/** The share of retries in a claim of `limit` deliveries; `carry` is that of the previous claim, 0 at first. */
export function shareRetries(limit: number, carry: number): RetryShare {
  const counted = limit + carry;
  return { retries: Math.floor(counted / RETRY_EVERY), carry: counted % RETRY_EVERY };
}

/** How many retries the next probe asks for: 0 for a delivery never tried, undefined for the earliest due of both kinds. */
export function probeRetries({ probes }: Backoff): 0 | undefined {
  return probes % 2 === 0 ? 0 : undefined;
}
