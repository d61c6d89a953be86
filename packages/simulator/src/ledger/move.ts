// Changes the state of a delivery in the ledger. The counters of states, and the claimed deliveries of lanes, change
// only here.

import { type DeliveryState, type EpochMs, epochMs, type LeaseToken } from "@postrider/core";
import { type KnownDelivery, laneOf, type Ledger } from "./ledger.js";
import { forgetAtStep } from "./standings.js";

/** Counts a delivery in its present state. */
export function countInState(ledger: Ledger, known: KnownDelivery): void {
  ledger.counts[known.state] += 1;
  ledger.peakWaiting = Math.max(ledger.peakWaiting, ledger.counts.waiting);
  if (known.state === "claimed") countClaimed(ledger, known, 1);
}

export function moveDelivery(ledger: Ledger, known: KnownDelivery, state: DeliveryState): void {
  ledger.counts[known.state] -= 1;
  if (known.state === "claimed") countClaimed(ledger, known, -1);
  // A repeated claim does not reset `latestWall`: a decision made under the earlier lease may still settle the
  // delivery.
  if (known.state !== state) known.latestWall = ledger.clock.wall();
  known.state = state;
  countInState(ledger, known);
}

/** Sets when a waiting delivery is due, and removes its lease. */
export function setWaiting(ledger: Ledger, known: KnownDelivery, dueAt: EpochMs): void {
  known.token = undefined;
  known.dueAt = dueAt;
  known.dueSince = Math.max(0, dueAt - ledger.clock.wall()) + ledger.clock.monotonic();
  known.isOut = false;
}

/**
 * Moves the monotonic due times by a step of the wall clock, since deliveries wait for wall-clock times. To be called
 * before the step.
 */
export function adjustToClockStep(ledger: Ledger, byMs: number): void {
  const { clock, deliveries } = ledger;
  ledger.isTimeUneven = true;
  forgetAtStep(ledger);
  for (const known of deliveries.values()) {
    known.latestWall = epochMs(Math.max(known.latestWall, clock.wall()));
    if (known.state !== "waiting") continue;
    const untilDueMs = known.dueAt - clock.wall() - byMs;
    if (known.dueSince > clock.monotonic()) known.dueSince -= byMs;
    // What was due, and waited for its rate limit, may be due later by the new time.
    else if (untilDueMs > 0) known.dueSince = clock.monotonic() + untilDueMs;
  }
}

/** Puts the delivery under a lease. */
export function setLease(known: KnownDelivery, token: LeaseToken, leaseUntil: EpochMs): void {
  known.token = token;
  known.leaseUntil = leaseUntil;
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
