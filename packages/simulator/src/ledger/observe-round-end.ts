// Estimates how many slots a lane has at least, and whether a process may hold it. Does not call core, so that an error
// of core is not repeated. A process counts only some retries; here all failed ones count and no successful one, so that
// the estimate is never above the slots of the process.

import type { Outcome } from "@postrider/core";
import { type KnownDelivery, type KnownLane, laneOf, type Ledger } from "./ledger.js";

/**
 * The weight of one round; the share of failures from which a failure costs a slot; the share from which the lane may be
 * held.
 */
const WEIGHT = 1 / 32;
const LOSES_SLOT_FROM = 0.4;
const HELD_FROM = 0.85;
/** The slots that remain to a lane that is not held. */
const LEAST_SLOTS = 4;

export function observeRoundEnd(ledger: Ledger, known: KnownDelivery, outcome: Outcome): void {
  const process = known.token === undefined ? undefined : ledger.holders.get(known.token);
  if (process === undefined) return;
  const lane = laneOf(ledger, known.lane);
  switch (outcome.kind) {
    case "delivered":
      observeSuccess(ledger, { lane, process }, known);
      return;
    case "released":
      // It may have been a `local` fault, which costs a slot.
      lane.leastSlots = Math.min(lane.leastSlots, Math.max(LEAST_SLOTS, lane.leastSlots - 1));
      return;
    case "rescheduled":
    case "dead":
      observeFailure(lane, process);
      return;
  }
}

/** Whether this process may send only probes to the lane. */
export function mayBeHeld(lane: KnownLane, process: number): boolean {
  return lane.failing.get(process)?.mayBeHeld === true;
}

interface Place {
  readonly lane: KnownLane;
  readonly process: number;
}

/** During faults it is not certain that the process got the reply, so the share of failures stays. */
function observeSuccess({ clock, promptFrom }: Ledger, { lane, process }: Place, known: KnownDelivery): void {
  if (mayBeHeld(lane, process)) lane.lastFullAt = clock.monotonic();
  const before = lane.failing.get(process);
  if (before === undefined || clock.monotonic() < promptFrom) return;
  const isFirst = known.lastRoundAt === known.firstAttemptAt;
  const share = isFirst ? before.share * (1 - WEIGHT) : before.share;
  lane.failing.set(process, { share, mayBeHeld: false });
}

function observeFailure(lane: KnownLane, process: number): void {
  const before = lane.failing.get(process) ?? { share: 0, mayBeHeld: false };
  const share = before.share + WEIGHT * (1 - before.share);
  const isHeld = before.mayBeHeld || share >= HELD_FROM - 1e-9;
  lane.failing.set(process, { share, mayBeHeld: isHeld });
  if (isHeld) lane.leastSlots = 1;
  else if (share > LOSES_SLOT_FROM)
    lane.leastSlots = Math.min(lane.leastSlots, Math.max(LEAST_SLOTS, lane.leastSlots - 1));
}
