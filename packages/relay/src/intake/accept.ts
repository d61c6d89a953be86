// Accepts an arrival: every call is prepared, all calls that may pass are stored, and only then is the caller answered.
// If the store is busy or full, the calls that would have passed are shed; refused calls stay refused. Most arrivals
// are one slice and one commit; larger ones are accepted in slices.

import type { Receipt } from "@postrider/core";
import { err, ok, okAsync, type Result, ResultAsync } from "neverthrow";
import type { RelayFault } from "../fault.js";
import type { Arrival } from "../relay.js";
import type { StoreFault } from "../storage/storage.js";
import { acceptInSlices } from "./accept-in-slices.js";
import type { IntakeContext, ShedContext, StoreContext } from "./context.js";
import { readArrival, type PreparedCall } from "./prepare-call.js";
import { createSlicer } from "./take-slice.js";
import { shedCalls, emitRefused, writeReceipts } from "./write-receipts.js";

/** Returns a receipt for each call, in the order of the calls. */
export function accept(context: IntakeContext, arrival: Arrival): ResultAsync<readonly Receipt[], RelayFault> {
  const slicer = createSlicer(context, readArrival(arrival, context.clock.wall()));
  const first = slicer.next();
  if (first.kind === "large" || !slicer.isDone()) {
    return new ResultAsync(acceptInSlices(context, { arrival, slicer, first }));
  }
  const { taken } = first;
  emitRefused(context, arrival, taken);
  const isRefused = taken.every((one) => one.kind === "refused");
  return isRefused ? okAsync(writeReceipts(taken, [], arrival)) : new ResultAsync(store(context, { arrival, taken }));
}

interface Storing {
  readonly arrival: Arrival;
  readonly taken: readonly PreparedCall[];
}

async function store(
  context: StoreContext,
  { arrival, taken }: Storing,
): Promise<Result<readonly Receipt[], RelayFault>> {
  const drafts = taken.flatMap((one) => (one.kind === "ok" ? [one.draft] : []));
  const stored = await context.queue.enqueue(drafts);
  if (stored.isErr()) return shed(context, { arrival, taken, calls: drafts.length }, stored.error);
  return ok(writeReceipts(taken, stored.value, arrival));
}

interface Shed {
  readonly arrival: Arrival;
  readonly taken: readonly PreparedCall[];
  /** How many calls would have passed. */
  readonly calls: number;
}

function shed(
  context: ShedContext,
  { arrival, taken, calls }: Shed,
  fault: StoreFault,
): Result<readonly Receipt[], RelayFault> {
  if (fault.code === "unavailable" || fault.code === "corrupt") return err({ code: fault.code });
  const receipt = shedCalls(context, arrival, calls);
  return ok(taken.map((one): Receipt => (one.kind === "refused" ? one : receipt)));
}
