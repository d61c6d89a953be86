// A lease: the right to deliver what was claimed, for as long as it lasts. How it is stored is the store's business.

import type { LeaseToken } from "../ids.js";

export interface Lease {
  readonly token: LeaseToken;
  readonly leaseMs: number;
}
