// Accepts an arrival of more than one slice: each slice is stored before the next one is prepared, with other work in
// between, and one answer follows the last (decision: request cost). Only one slice is in memory, whatever the size of
// the arrival.

import { err, ok, type Result } from "neverthrow";
import type { Receipt } from "@postrider/core";
import type { Arrival } from "../relay.js";
import type { StoreFault } from "../storage/store-fault.js";
import type { SliceContext, SlicesContext } from "./context.js";
import type { PreparedCall } from "./prepare-call.js";
import type { Slice, Slicer } from "./take-slice.js";
import type { QueuedTurn } from "./turns.js";
import { type ArrivalAnswer, answerFault, storeCalls } from "./store-calls.js";
import { writeReceipts } from "./write-receipts.js";

export interface SlicedWork {
  readonly arrival: Arrival;
  readonly slicer: Slicer;
  /** The first slice of the arrival. */
  readonly first: Slice;
}

/**
 * Returns a receipt for each call, in the order of the calls. If a slice cannot be stored, the slices before it stay
 * stored: when the caller sends the whole arrival again, the calls of those slices that have a messageId are
 * duplicates.
 */
export async function acceptInSlices(context: SlicesContext, work: SlicedWork): Promise<ArrivalAnswer> {
  const turn = context.turns.queue(work.arrival.source);
  if (turn === undefined) {
    // Too many other arrivals wait, or there was a stop: nothing of this arrival is stored.
    if (context.turns.isClosed()) return err({ code: "stopped" });
    return answerFault(context, { arrival: work.arrival, receipts: [], taken: [] }, { code: "busy" });
  }
  try {
    return await workOff(context, work, turn);
  } finally {
    turn.end();
  }
}

/**
 * The first slice is already in memory, so it is stored at once, unless it is a single call with many deliveries. The
 * other slices are prepared only after the turn has begun.
 */
async function workOff(context: SlicesContext, work: SlicedWork, turn: QueuedTurn): Promise<ArrivalAnswer> {
  const { arrival, slicer } = work;
  const receipts: Receipt[] = [];
  for (let slice = work.first; ; slice = slicer.next()) {
    if (slice.kind === "large") await turn.begins;
    const stored = await storeSlice(context, arrival, slice);
    if (stored.isErr()) return answerFault(context, { arrival, receipts, taken: takenOf(slice) }, stored.error);
    receipts.push(...stored.value);
    if (slicer.isDone()) return ok(receipts);
    await context.nextSlice();
    await turn.begins;
    if (context.turns.isClosed()) return err({ code: "stopped" });
  }
}

async function storeSlice(
  context: SliceContext,
  arrival: Arrival,
  slice: Slice,
): Promise<Result<readonly Receipt[], StoreFault>> {
  if (slice.kind === "calls") return storeCalls(context, arrival, slice.taken);
  const { draft } = slice;
  const stored = await context.queue.enqueueLarge(draft);
  if (stored.isErr()) return err(stored.error);
  const accepted = stored.value === undefined ? [] : [stored.value];
  return ok(writeReceipts([{ kind: "ok", draft, seen: 0 }], accepted, arrival));
}

function takenOf(slice: Slice): readonly PreparedCall[] {
  return slice.kind === "calls" ? slice.taken : [];
}
