// Accepts an arrival: every call is prepared, all calls that may pass are stored, and only then is the caller answered. Most
// arrivals are one slice and one commit; larger ones are accepted in slices.

import type { Receipt } from "@postrider/core";
import { defined, type Steps } from "@postrider/core/engine";
import { ok, ResultAsync } from "neverthrow";
import type { RelayFault } from "../fault.js";
import type { Arrival } from "../relay.js";
import { acceptInSlices } from "./accept-in-slices.js";
import type { IntakeContext, StoreContext } from "./context.js";
import type { PreparedCall } from "./prepare-call.js";
import { type ArrivalData, readArrivalInSteps } from "./read-arrival.js";
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
  const reading = readArrivalInSteps(arrival, { now: context.clock.wall(), ...defined({ asOf }) });
  const begun = reading.next();
  return new ResultAsync(begun.done === true ? acceptRead(context, begun.value) : acceptLater(context, reading));
}

/** Reads the rest of what the calls share, one step in each slice. */
async function acceptLater(context: IntakeContext, reading: Steps<ArrivalData>): Promise<ArrivalAnswer> {
  for (;;) {
    await context.nextSlice();
    const step = reading.next();
    if (step.done === true) return acceptRead(context, step.value);
  }
}

function acceptRead(context: IntakeContext, intake: ArrivalData): Promise<ArrivalAnswer> {
  const { arrival } = intake;
  const slicer = createSlicer(context, intake);
  const first = slicer.next();
  const isSliced = first.kind === "large" || !slicer.isDone();
  return isSliced ? acceptInSlices(context, { arrival, slicer, first }) : acceptSlice(context, arrival, first.taken);
}

async function acceptSlice(
  context: StoreContext,
  arrival: Arrival,
  taken: readonly PreparedCall[],
): Promise<ArrivalAnswer> {
  const stored = await storeCalls(context, arrival, taken);
  return stored.isErr() ? answerFault(context, { arrival, receipts: [], taken }, stored.error) : ok(stored.value);
}
