// Accepts an arrival: every call is prepared, all that may pass are stored, and only then is the caller answered. Deliveries
// stored as claimed are handed off at once. If nothing can be stored, the calls that would have passed are shed; refused
// ones stay refused. Most arrivals are one slice and one commit; larger ones are accepted in slices.

import type { Receipt } from "@postrider/core";
import { err, ok, okAsync, type Result, ResultAsync } from "neverthrow";
import type { RelayContext } from "../context.js";
import type { RelayFault } from "../fault.js";
import type { Arrival } from "../relay.js";
import type { StoreFault } from "../storage/storage.js";
import { acceptInSlices } from "./accept-in-slices.js";
import { enqueue } from "./enqueue.js";
import { readArrival, type PreparedCall } from "./prepare-call.js";
import { createSlicer } from "./take-slice.js";
import { shedCalls, emitRefused, writeReceipts } from "./write-receipts.js";

/** A receipt for each call, in their order. `wake` is called when a stored delivery may be due. */
export function accept(
  context: RelayContext,
  arrival: Arrival,
  wake: () => void,
): ResultAsync<readonly Receipt[], RelayFault> {
  const slicer = createSlicer(context, readArrival(arrival, context.clock.wall()));
  const first = slicer.next();
  if (first.kind === "large" || !slicer.isDone()) {
    return new ResultAsync(acceptInSlices(context, { arrival, slicer, first, wake }));
  }
  const { taken } = first;
  emitRefused(context, arrival, taken);
  const isRefused = taken.every((one) => one.kind === "refused");
  return isRefused
    ? okAsync(writeReceipts(taken, [], arrival))
    : new ResultAsync(store(context, { arrival, taken, wake }));
}

interface Storing {
  readonly arrival: Arrival;
  readonly taken: readonly PreparedCall[];
  readonly wake: () => void;
}

async function store(
  context: RelayContext,
  { arrival, taken, wake }: Storing,
): Promise<Result<readonly Receipt[], RelayFault>> {
  const drafts = taken.flatMap((one) => (one.kind === "ok" ? [one.draft] : []));
  const stored = await enqueue(context, drafts);
  if (stored.isErr()) return shed(context, { arrival, taken, calls: drafts.length }, stored.error);
  wake();
  return ok(writeReceipts(taken, stored.value, arrival));
}

interface Shed {
  readonly arrival: Arrival;
  readonly taken: readonly PreparedCall[];
  /** How many calls would have passed. */
  readonly calls: number;
}

function shed(
  context: RelayContext,
  { arrival, taken, calls }: Shed,
  fault: StoreFault,
): Result<readonly Receipt[], RelayFault> {
  if (fault.code === "unavailable" || fault.code === "corrupt") return err({ code: fault.code });
  const receipt = shedCalls(context, arrival, calls);
  return ok(taken.map((one): Receipt => (one.kind === "refused" ? one : receipt)));
}
