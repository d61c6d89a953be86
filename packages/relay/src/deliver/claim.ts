// A claimed delivery, and the lease that proves the claim.

import type { ClaimedDelivery } from "@postrider/core";
import type { HeldLease } from "../storage/held-lease.js";

/** As it was handed out, but for its lease, which may come to be another one. */
export type HeldDelivery = Omit<ClaimedDelivery, "leaseUntil">;

export interface Claim {
  readonly delivery: HeldDelivery;
  /** The latest one: should a clock that steps end a lease while its round is out, the next claim goes to that round. */
  lease: HeldLease;
}
