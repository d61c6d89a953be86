// A slot: the right of a lane to have one more delivery under way, from its reservation to its last reply. A slot ends once.
// Decides which step may follow which. Does not know what is counted at each step (decision: slots).

/** Data without methods, since each delivery has a slot: only the functions of this file read or change it. */
export interface Slot {
  readonly counts: SlotCounts;
  state: SlotState;
}

type SlotState = "reserved" | "started" | "replied" | "ended";

/** The counts that the steps of a slot change. All slots of a lane share one object. */
export interface SlotCounts {
  /** Counts one more or one fewer started round of the lane. */
  countStarted(step: 1 | -1): void;
  /** Whether the lane may have one more delivery that waits for its settlement without a slot. */
  mayWaitWithoutSlot(): boolean;
  /** Counts one more or one fewer such delivery. */
  countUnsettled(step: 1 | -1): void;
  /** The slot is free again. */
  end(token: "spent" | "refunded"): void;
}

/** Creates a reserved slot. In the functions below, a step that is not allowed throws, and counts nothing. */
export function createSlot(counts: SlotCounts): Slot {
  return { counts, state: "reserved" };
}

/** The round of the delivery counts as started from now on. */
export function startSlot(slot: Slot): void {
  if (slot.state !== "reserved") throw wrongStep("start", slot);
  slot.state = "started";
  slot.counts.countStarted(1);
}

/** The round is not started after all; the slot is still reserved. */
export function undoSlotStart(slot: Slot): void {
  if (slot.state !== "started") throw wrongStep("undoStart", slot);
  slot.state = "reserved";
  slot.counts.countStarted(-1);
}

/**
 * The round has its last reply, and its delivery waits for its settlement: the slot is free for another delivery, since it is there for the
 * receiver. If too many deliveries wait already, it is free only once it is released.
 */
export function replySlot(slot: Slot): void {
  if (slot.state !== "started") throw wrongStep("reply", slot);
  if (!slot.counts.mayWaitWithoutSlot()) return;
  slot.state = "replied";
  slot.counts.countUnsettled(1);
  slot.counts.countStarted(-1);
  slot.counts.end("spent");
}

/** Ends the slot: the delivery is settled. The rate-limit token that the slot took stays spent. */
export function releaseSlot(slot: Slot): void {
  const { state, counts } = slot;
  if (state === "ended") throw wrongStep("release", slot);
  slot.state = "ended";
  if (state === "replied") {
    counts.countUnsettled(-1);
    return;
  }
  if (state === "started") counts.countStarted(-1);
  counts.end("spent");
}

/** Ends the slot and gives its token back. Not allowed while the round counts as started. */
export function refundSlot(slot: Slot): void {
  if (slot.state !== "reserved") throw wrongStep("refund", slot);
  slot.state = "ended";
  slot.counts.end("refunded");
}

function wrongStep(step: string, { state }: Slot): Error {
  return new Error(`bug: ${step} of a slot that is ${state}`);
}
