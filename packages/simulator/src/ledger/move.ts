// Changes the state of a delivery in the ledger. The counters of states, and the claimed deliveries of lanes, change
// only here.

import { type DeliveryState, type EpochMs, epochMs, type LeaseToken } from "@postrider/core";
import { type KnownDelivery, laneOf, type Ledger } from "./ledger.js";
import { forgetAtStep } from "./standings.js";

/** Counts a delivery in its present state. */
export function countInState(ledger: Ledger, delivery: KnownDelivery): void {
  ledger.counts[delivery.state] += 1;
  ledger.peakWaiting = Math.max(ledger.peakWaiting, ledger.counts.waiting);
  if (delivery.state === "claimed") countClaimed(ledger, delivery, 1);
}

export function moveDelivery(ledger: Ledger, delivery: KnownDelivery, state: DeliveryState): void {
  ledger.counts[delivery.state] -= 1;
  if (delivery.state === "claimed") countClaimed(ledger, delivery, -1);
  // A repeated claim does not reset `latestWall`: a decision made under the earlier lease may still settle the
  // delivery.
  if (delivery.state !== state) delivery.latestWall = ledger.clock.wall();
  delivery.state = state;
  countInState(ledger, delivery);
}

/** Sets when a waiting delivery is due, and removes its lease. */
export function setWaiting(ledger: Ledger, delivery: KnownDelivery, dueAt: EpochMs): void {
  delivery.token = undefined;
  delivery.dueAt = dueAt;
  delivery.dueSince = Math.max(0, dueAt - ledger.clock.wall()) + ledger.clock.monotonic();
  delivery.isOut = false;
}

/**
 * Moves the monotonic due times by a step of the wall clock, since deliveries wait for wall-clock times. To be called
 * before the step.
 */
export function adjustToClockStep(ledger: Ledger, byMs: number): void {
  const { clock, deliveries } = ledger;
  ledger.isTimeUneven = true;
  forgetAtStep(ledger);
  for (const delivery of deliveries.values()) {
    delivery.latestWall = epochMs(Math.max(delivery.latestWall, clock.wall()));
    if (delivery.state !== "waiting") continue;
    const untilDueMs = delivery.dueAt - clock.wall() - byMs;
    if (delivery.dueSince > clock.monotonic()) delivery.dueSince -= byMs;
    // A delivery that was due, and waited for its rate limit, may be due later by the new time.
    else if (untilDueMs > 0) delivery.dueSince = clock.monotonic() + untilDueMs;
  }
}

/** Puts the delivery under a lease. */
export function setLease(delivery: KnownDelivery, token: LeaseToken, leaseUntil: EpochMs): void {
  delivery.token = token;
  delivery.leaseUntil = leaseUntil;
}

export function isFinished({ state }: KnownDelivery): boolean {
  return state === "delivered" || state === "dead";
}

function countClaimed(ledger: Ledger, { lane: id }: KnownDelivery, step: 1 | -1): void {
  const lane = laneOf(ledger, id);
  if (lane.claimed >= lane.leastSlots) lane.lastFullAt = ledger.clock.monotonic();
  lane.claimed += step;
  if (lane.claimed >= lane.leastSlots) lane.lastFullAt = ledger.clock.monotonic();
}
