// A claimed delivery, and the lease that proves the claim.

import type { ClaimedDelivery, EpochMs, LeaseToken } from "@postrider/core";

export interface Claim {
  readonly delivery: ClaimedDelivery;
  /** The latest one: should a clock that steps end a lease while its round is out, the next claim goes to that round. */
  lease: HeldLease;
}

export interface HeldLease {
  readonly token: LeaseToken;
  readonly until: EpochMs;
}
