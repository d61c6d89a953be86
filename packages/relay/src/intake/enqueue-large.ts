// Stores one call with more deliveries than may be started at once. They are started and handed on in slices; the commit is
// one all the same, since a call is accepted with all of its deliveries or not at all (decision: what a request may cost).

import type { Accepted, NewDelivery, NewMessage } from "@postrider/core";
import type { Result } from "neverthrow";
import type { RelayContext } from "../context.js";
import { SLICE_UNITS } from "../limits.js";
import type { StoreFault } from "../storage/storage.js";
import { enterFrom, tellAccepted } from "./enter.js";
import { giveBack, reserve } from "./reserve.js";
import { startDeliveries } from "./start-deliveries.js";
import type { Draft } from "./take-in.js";

/** The message that was made of it, and what became of that. */
export async function storeLarge(
  context: RelayContext,
  draft: Draft,
): Promise<{ readonly message: NewMessage; readonly stored: Result<Accepted | undefined, StoreFault> }> {
  const message: NewMessage = { ...draft.message, deliveries: await startInSlices(context, draft) };
  const stored = await context.commits.write({ accept: [message] });
  if (stored.isErr()) {
    giveBack(context.lanes, message);
    return { message, stored: stored.map(() => undefined) };
  }
  const { accepted, lease } = stored.value;
  tellAccepted(context, message, accepted[0]);
  for (let from = 0; from < message.deliveries.length; from += SLICE_UNITS) {
    if (from > 0) await context.nextSlice();
    enterFrom(context, { message, accepted: accepted[0], lease }, { from, to: from + SLICE_UNITS });
  }
  return { message, stored: stored.map(() => accepted[0]) };
}

async function startInSlices(context: RelayContext, { message, destinations }: Draft): Promise<readonly NewDelivery[]> {
  const started: NewDelivery[] = [];
  for (let from = 0; from < destinations.length; from += SLICE_UNITS) {
    await context.nextSlice();
    const some = destinations.slice(from, from + SLICE_UNITS);
    const deliveries = startDeliveries(context, some, { size: message.body.length, now: message.receivedAt });
    reserve(context.lanes, { deliveries, body: message.body });
    started.push(...deliveries);
  }
  return started;
}
