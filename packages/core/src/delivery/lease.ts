// A lease: the token of a claim, and how long the claim is valid. Each store decides how it stores a lease.

import type { LeaseToken } from "../ids.js";

/** How long a claim is valid, in milliseconds, and the token that proves it. */
export interface Lease {
  readonly token: LeaseToken;
  readonly leaseMs: number;
}
