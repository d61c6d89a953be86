// A lease: the right to deliver what was claimed, for as long as it lasts. Each store decides how it is stored.

import type { LeaseToken } from "../ids.js";

export interface Lease {
  readonly token: LeaseToken;
  readonly leaseMs: number;
}
