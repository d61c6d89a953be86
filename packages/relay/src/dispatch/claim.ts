// A claimed delivery on its way, the lease that proves the claim, and what it has in its lane until it is settled.

import type { ClaimedDelivery } from "@postrider/core";
import type { LaneEntry } from "../state/lane-entry.js";
import type { Slot } from "../state/slot.js";
import type { HeldLease } from "../storage/held-lease.js";

/** As it was handed out, but for its lease, which may come to be another one. */
export type HeldDelivery = Omit<ClaimedDelivery, "leaseUntil">;

export interface Claim {
  readonly delivery: HeldDelivery;
  /** The latest one: should a clock that steps end a lease while its round is out, the next claim goes to that round. */
  lease: HeldLease;
  readonly slot: Slot;
  readonly entry: LaneEntry;
}
