// Accepts an arrival: every call is prepared, all calls that may pass are stored, and only then is the caller answered. Most
// arrivals are one slice and one commit; larger ones are accepted in slices.

import type { Receipt } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { ok, ResultAsync } from "neverthrow";
import type { RelayFault } from "../fault.js";
import type { Arrival } from "../relay.js";
import { acceptInSlices } from "./accept-in-slices.js";
import type { IntakeContext, StoreContext } from "./context.js";
import { readArrival, type PreparedCall } from "./prepare-call.js";
import { answerFault, type ArrivalAnswer, storeCalls } from "./store-calls.js";
import { createSlicer } from "./take-slice.js";

/**
 * Returns a receipt for each call, in the order of the calls. With `asOf`, calls are shed if a request about users was opened after
 * the one with this number.
 */
export function accept(
  context: IntakeContext,
  arrival: Arrival,
  asOf?: number,
): ResultAsync<readonly Receipt[], RelayFault> {
  const slicer = createSlicer(context, readArrival(arrival, { now: context.clock.wall(), ...defined({ asOf }) }));
  const first = slicer.next();
  const isSliced = first.kind === "large" || !slicer.isDone();
  return new ResultAsync(
    isSliced ? acceptInSlices(context, { arrival, slicer, first }) : acceptSlice(context, arrival, first.taken),
  );
}

async function acceptSlice(
  context: StoreContext,
  arrival: Arrival,
  taken: readonly PreparedCall[],
): Promise<ArrivalAnswer> {
  const stored = await storeCalls(context, arrival, taken);
  return stored.isErr() ? answerFault(context, { arrival, receipts: [], taken }, stored.error) : ok(stored.value);
}
