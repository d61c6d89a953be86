// Decides how many deliveries of a claim are retries: one of five, if both retries and new deliveries are due (decision:
// lanes). Remainders carry over to the next claim, so that small claims include retries too. Only every second probe may be
// a retry, so that a message that no receiver takes cannot block the others (decision: lane health). Knows no delivery.

import { RETRY_EVERY } from "../limits.js";
import type { Backoff } from "./pace.js";

/** The number of retries in a claim, and the remainder. */
export interface RetryShare {
  readonly retries: number;
  /** The remainder, to be passed to the next claim of this lane. */
  readonly carry: number;
}

/** The share of retries in a claim of `limit` deliveries; `carry` is the remainder of the previous claim, 0 at first. */
export function shareRetries(limit: number, carry: number): RetryShare {
  const counted = limit + carry;
  return { retries: Math.floor(counted / RETRY_EVERY), carry: counted % RETRY_EVERY };
}

/** How many retries the next probe asks for: 0 for a delivery never tried, undefined for the earliest due of both kinds. */
export function probeRetries({ probes }: Backoff): 0 | undefined {
  return probes % 2 === 0 ? 0 : undefined;
}
