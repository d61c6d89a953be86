// Estimates how many slots a lane has at least, and whether a process may hold it. Does not call core, so that an error
// of core is not repeated. A process counts only some retries; the ledger counts every failed retry and no successful
// one, so that the estimate is never above the slots of the process.

import type { Outcome } from "@postrider/core";
import { type KnownDelivery, laneOf, type Ledger } from "./ledger.js";
import type { KnownLane } from "./known-lane.js";
import { observeUnsent } from "./rates.js";

/** The weight of one round in the share of failures. */
const WEIGHT = 1 / 32;
/** Above this share, each failure costs a slot. */
const LOSES_SLOT_FROM = 0.4;
/** From this share on, the lane may be held. */
const HELD_FROM = 0.85;
/** A lane that is not held keeps at least this many slots. */
const LEAST_SLOTS = 4;

export function observeRoundEnd(ledger: Ledger, known: KnownDelivery, outcome: Outcome): void {
  const process = known.token === undefined ? undefined : ledger.holders.get(known.token);
  if (process === undefined) return;
  const lane = laneOf(ledger, known.lane);
  if (!known.isOut) observeUnsent(ledger, lane, process);
  switch (outcome.kind) {
    case "delivered":
      observeSuccess(ledger, { lane, process }, known);
      return;
    case "released":
      // The round may have ended by a `local` fault, which costs a slot.
      lane.leastSlots = Math.min(lane.leastSlots, Math.max(LEAST_SLOTS, lane.leastSlots - 1));
      return;
    case "rescheduled":
    case "dead":
      observeFailure(lane, process);
      return;
  }
}

/** Whether it is possible that this process holds the lane, and so sends only probes. */
export function mayBeHeld(lane: KnownLane, process: number): boolean {
  return lane.failing.get(process)?.mayBeHeld === true;
}

interface Place {
  readonly lane: KnownLane;
  readonly process: number;
}

/** Lowers the share of failures, except during faults: then it is not certain that the process got the reply. */
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
