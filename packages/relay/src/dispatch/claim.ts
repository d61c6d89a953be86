// A claimed delivery under way, the lease that proves the claim, and its slot and entry in its lane until it is settled.

import type { ClaimedDelivery } from "@postrider/core";
import type { LaneEntry } from "../state/lane-entry.js";
import type { Slot } from "../state/slot.js";
import type { HeldLease } from "../storage/held-lease.js";

/** The delivery as the store returned it, without its lease, which may change. */
export type HeldDelivery = Omit<ClaimedDelivery, "leaseUntil">;

export interface Claim {
  readonly delivery: HeldDelivery;
  /**
   * The latest lease. If a clock step ends a lease during a round and this process claims the delivery again, the round
   * continues under the new lease.
   */
  lease: HeldLease;
  readonly slot: Slot;
  readonly entry: LaneEntry;
}
