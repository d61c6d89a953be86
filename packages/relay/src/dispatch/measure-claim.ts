// Reports what a claim has returned, for each lane. Decides nothing.

import type { ClaimResult, DestinationId, EpochMs } from "@postrider/core";
import type { EmitMeasurement } from "../relay-event.js";

interface ClaimedInLane {
  deliveries: number;
  overdueMs: number;
}

/** Reports for each lane how many deliveries were claimed, and how long the first of them could have been claimed. */
export function measureClaim(measure: EmitMeasurement, { deliveries }: ClaimResult, askedAt: EpochMs): void {
  const lanes = new Map<DestinationId, ClaimedInLane>();
  for (const { lane, dueAt } of deliveries) {
    const claimed = lanes.get(lane) ?? { deliveries: 0, overdueMs: 0 };
    claimed.deliveries += 1;
    claimed.overdueMs = Math.max(claimed.overdueMs, askedAt - dueAt);
    lanes.set(lane, claimed);
  }
  for (const [destination, claimed] of lanes) measure({ kind: "claimed", destination, ...claimed });
}
