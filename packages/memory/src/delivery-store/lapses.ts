// Counts the claims of a delivery whose lease ended before it was settled: to be called before it leaves that claim.

import { type EpochMs, type LeaseToken, holderOf } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import type { StoredDelivery } from "./contents.js";

/** `by`: the token of the claim that follows. Absent if the delivery becomes dead. Changes nothing if the delivery is not claimed. */
export function noteLapse(delivery: StoredDelivery, now: EpochMs, by?: LeaseToken): void {
  const { state, token, at, lapses } = delivery;
  if (state !== "claimed" || token === undefined) return;
  delivery.lapses = {
    count: (lapses?.count ?? 0) + 1,
    process: holderOf(token),
    leaseUntil: at,
    takenAt: now,
    ...defined({ takenBy: by && holderOf(by) }),
  };
}
