// Takes an arrival in: every call is looked at, all that may pass is stored, and only then does anyone hear of it. What is
// stored as claimed is handed on at once. When nothing can be stored, the calls that would have passed are shed; those
// refused stay refused. Most arrivals are one slice and one commit; what is more goes another way.

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

/** A receipt for each call, in their order. `wake` is called where something that was stored may be due. */
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
  const drafts = taken.flatMap((one) => (one.kind === "draft" ? [one.draft] : []));
  const stored = await enqueue(context, drafts);
  if (stored.isErr()) return shed(context, { arrival, taken, calls: drafts.length }, stored.error);
  wake();
  return ok(writeReceipts(taken, stored.value, arrival));
}

interface Shed {
  readonly arrival: Arrival;
  readonly taken: readonly PreparedCall[];
  /** How many would have passed. */
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
