// Enqueues one call with more deliveries than may be started at once. They are started and handed on in slices; the commit is
// one all the same, since a call is accepted with all of its deliveries or not at all (decision: what a request may cost).

import type { Accepted, NewDelivery, NewMessage } from "@postrider/core";
import type { Result } from "neverthrow";
import type { RelayContext } from "../context.js";
import { SLICE_UNITS } from "../limits.js";
import type { StoreFault } from "../storage/storage.js";
import type { EnqueueContext } from "./enqueue.js";
import { enterFrom, tellAccepted } from "./enter.js";
import { type Draft, release, reserveSome } from "./reserve.js";

type LargeContext = EnqueueContext & Pick<RelayContext, "nextSlice">;

/** What became of it. */
export async function enqueueLarge(
  context: LargeContext,
  draft: Draft,
): Promise<Result<Accepted | undefined, StoreFault>> {
  const message: NewMessage = { ...draft.message, deliveries: await reserveInSlices(context, draft) };
  const stored = await context.commits.write({ accept: [message] });
  if (stored.isErr()) {
    release(context.lanes, message);
    return stored.map(() => undefined);
  }
  const { accepted, lease } = stored.value;
  tellAccepted(context, message, accepted[0]);
  for (let from = 0; from < message.deliveries.length; from += SLICE_UNITS) {
    if (from > 0) await context.nextSlice();
    enterFrom(context, { message, accepted: accepted[0], lease }, { from, to: from + SLICE_UNITS });
  }
  return stored.map(() => accepted[0]);
}

async function reserveInSlices(
  context: LargeContext,
  { message, destinations }: Draft,
): Promise<readonly NewDelivery[]> {
  const reserved: NewDelivery[] = [];
  for (let from = 0; from < destinations.length; from += SLICE_UNITS) {
    await context.nextSlice();
    reserved.push(...reserveSome(context, message, destinations.slice(from, from + SLICE_UNITS)));
  }
  return reserved;
}
