// Moves a delivery in the ledger from state to state: counters and lanes are changed only here.

import { type DeliveryState, type EpochMs, epochMs, type LeaseToken } from "@postrider/core";
import { type Known, laneOf, type Ledger } from "./ledger.js";

/** Adds a new delivery in its first state. */
export function enterKnown(ledger: Ledger, known: Known): void {
  ledger.counts[known.state] += 1;
  ledger.peakWaiting = Math.max(ledger.peakWaiting, ledger.counts.waiting);
  if (known.state === "claimed") countClaimed(ledger, known, 1);
}

export function moveKnown(ledger: Ledger, known: Known, state: DeliveryState): void {
  ledger.counts[known.state] -= 1;
  if (known.state === "claimed") countClaimed(ledger, known, -1);
  // If it is claimed again under a later lease, a decision made under the earlier one may still settle it.
  if (known.state !== state) known.latestWall = ledger.clock.wall();
  known.state = state;
  enterKnown(ledger, known);
}

/** Makes it wait until `dueAt`. */
export function wait(ledger: Ledger, known: Known, dueAt: EpochMs): void {
  known.token = undefined;
  known.dueAt = dueAt;
  known.dueSince = Math.max(0, dueAt - ledger.clock.wall()) + ledger.clock.monotonic();
  known.isOut = false;
}

/** The wall clock is about to step: a wait for a wall-clock time becomes longer or shorter by that much. */
export function beforeStep({ clock, deliveries }: Ledger, byMs: number): void {
  for (const known of deliveries.values()) {
    known.latestWall = epochMs(Math.max(known.latestWall, clock.wall()));
    if (known.state === "waiting" && known.dueSince > clock.monotonic()) known.dueSince -= byMs;
  }
}

/** Puts it under a lease. */
export function hold(known: Known, token: LeaseToken, leaseUntil: EpochMs): void {
  known.token = token;
  known.leaseUntil = leaseUntil;
}

export function isFinished({ state }: Known): boolean {
  return state === "delivered" || state === "dead";
}

function countClaimed(ledger: Ledger, { lane: id }: Known, step: 1 | -1): void {
  const lane = laneOf(ledger, id);
  if (lane.claimed >= lane.fullWith) lane.fullAt = ledger.clock.monotonic();
  lane.claimed += step;
  if (lane.claimed >= lane.fullWith) lane.fullAt = ledger.clock.monotonic();
}
