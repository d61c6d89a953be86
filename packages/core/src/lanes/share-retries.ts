// Decides how much of a claim is for retries: of five deliveries one, where both kinds are due (decision: lanes). What is
// left over of a claim that five does not divide counts in the next one, so that small claims have their fifth as well.
// Probes of a lane that is held alternate (decision: pace): messages that no receiver would take hold up none of the others.

import { RETRY_EVERY } from "../limits.js";
import type { Hold } from "./pace.js";

export interface RetryShare {
  readonly retries: number;
  /** Deliveries that count towards the next retry, for the next claim of this lane. */
  readonly carry: number;
}

/** The share of retries in a claim of `limit`; `carry` is that of the claim before, 0 at first. */
export function shareRetries(limit: number, carry: number): RetryShare {
  const counted = limit + carry;
  return { retries: Math.floor(counted / RETRY_EVERY), carry: counted % RETRY_EVERY };
}

/** How many retries the next probe asks for: none, or whichever is due first if undefined. */
export function probeRetries({ probes }: Hold): 0 | undefined {
  return probes % 2 === 0 ? 0 : undefined;
}
