// Enqueues one call with more deliveries than may be started at once. The deliveries are started and handed off in
// slices, but stored in one commit, since a call is accepted with all of its deliveries or not at all (decision:
// request cost).

import type { AcceptResult, NewDelivery } from "@postrider/core";
import type { Result } from "neverthrow";
import { SLICE_UNITS } from "../limits.js";
import type { StoreFault } from "../storage/store-fault.js";
import type { EnqueueContext } from "./enqueue.js";
import { queueSome, concludeMessage } from "./queue-stored.js";
import { cancelReservations, type Draft, type DeliveryReservation, type Reserved, reserveSome } from "./reserve.js";
import type { ArrivalContext } from "./start-deliveries.js";

export interface EnqueueLargeContext extends EnqueueContext {
  /** Resolves when the next slice of deliveries may be processed. */
  readonly nextSlice: () => Promise<void>;
}

/** Stores the message of one call, and answers its outcome. */
export async function enqueueLarge(
  context: EnqueueLargeContext,
  draft: Draft,
): Promise<Result<AcceptResult | undefined, StoreFault>> {
  const { deliveries, reservations } = await reserveInSlices(context, draft);
  const message = { ...draft.message, deliveries };
  const stored = await context.commits.write({ accept: [message] });
  if (stored.isErr()) {
    cancelReservations(reservations);
    return stored.map(() => undefined);
  }
  const { accepted, lease } = stored.value;
  const entering = { message, reservations, warnings: draft.warnings, accepted: accepted[0], lease };
  concludeMessage(context.emit, entering);
  for (let from = 0; from < deliveries.length; from += SLICE_UNITS) {
    if (from > 0) await context.nextSlice();
    queueSome(context, entering, { from, to: from + SLICE_UNITS });
  }
  context.wake();
  return stored.map(() => accepted[0]);
}

type Slicing = ArrivalContext & Pick<EnqueueLargeContext, "nextSlice">;

async function reserveInSlices(context: Slicing, { message, destinations }: Draft): Promise<Reserved> {
  const deliveries: NewDelivery[] = [];
  const reservations: DeliveryReservation[] = [];
  for (let from = 0; from < destinations.length; from += SLICE_UNITS) {
    await context.nextSlice();
    const slice = reserveSome(context, message, destinations.slice(from, from + SLICE_UNITS));
    deliveries.push(...slice.deliveries);
    reservations.push(...slice.reservations);
  }
  return { deliveries, reservations };
}
