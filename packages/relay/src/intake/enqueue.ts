// The only way for a message into the lanes: starts its deliveries and makes their reservations, stores it in one commit with
// related writes, then queues it in its lanes and wakes the dispatcher. The deliveries of a large message are started and
// queued in slices, but stored in one commit (decision: request cost).

import type { AcceptResult, NewDelivery, DeliveryId, DestinationId, NewMessage } from "@postrider/core";
import { err, ok, type Result } from "neverthrow";
import type { Commits } from "../commits/commits.js";
import type { WriteRequest } from "../commits/gathering.js";
import type { StoreFault } from "../fault.js";
import {
  cancelReservations,
  type Draft,
  reserve,
  type DeliveryReservation,
  type ReservedDeliveries,
  reserveSome,
  type ReservedMessage,
  type ArrivalContext,
} from "./reserve.js";
import { SLICE_UNITS } from "../limits.js";
import type { EmitEvent } from "../relay-event.js";
import { type HeldDelivery, factsOf, type HandOff } from "../dispatch/claim.js";
import type { Lanes } from "../lanes/lanes.js";
import type { HeldLease } from "../commits/lease.js";

export interface MessageQueue {
  /**
   * Stores messages in one commit with related writes; answers the outcome of each message, in the order of `drafts`.
   */
  enqueue(
    drafts: readonly Draft[],
    related?: Partial<Omit<WriteRequest, "accept">>,
  ): Promise<Result<readonly AcceptResult[], StoreFault>>;
  /** Stores one message with many deliveries, which are processed in slices; answers its outcome. */
  enqueueLarge(draft: Draft): Promise<Result<AcceptResult | undefined, StoreFault>>;
}

export function createMessageQueue(context: EnqueueLargeContext): MessageQueue {
  return {
    enqueue: (drafts, related) => enqueue(context, drafts, related),
    enqueueLarge: (draft) => enqueueLarge(context, draft),
  };
}

interface QueueContext {
  readonly handOff: HandOff;
  readonly lanes: Lanes;
  readonly emit: EmitEvent;
}

export interface EnqueueContext extends ArrivalContext, QueueContext {
  readonly commits: Pick<Commits, "write">;
  /** Wakes the dispatcher: a stored delivery may be due. */
  readonly wake: () => void;
}

interface EnqueueLargeContext extends EnqueueContext {
  /** Resolves when the next slice of deliveries may be processed. */
  readonly nextSlice: () => Promise<void>;
}

/**
 * Stores messages, and answers the outcome of each, in the order of `drafts`. Slots are reserved before the promise is
 * returned. Uses `await` instead of neverthrow's `map`, which creates a generator each time: V8 keeps the arguments of
 * a generator, here whole requests, in memory until its next full garbage collection.
 */
export async function enqueue(
  context: EnqueueContext,
  drafts: readonly Draft[],
  related: Partial<Omit<WriteRequest, "accept">> = {},
): Promise<Result<readonly AcceptResult[], StoreFault>> {
  const reserved = drafts.map((draft) => reserve(context, draft));
  const outcome = await context.commits.write({ ...related, accept: reserved.map(({ message }) => message) });
  if (outcome.isErr()) {
    for (const { reservations } of reserved) cancelReservations(reservations);
    return err(outcome.error);
  }
  const { accepted, lease } = outcome.value;
  for (const [index, { message, reservations, warnings }] of reserved.entries()) {
    queueStored(context, { message, reservations, warnings, accepted: accepted[index], lease });
  }
  context.wake();
  return ok(accepted);
}

/** Stores one message with many deliveries, and answers its outcome. */
export async function enqueueLarge(
  context: EnqueueLargeContext,
  draft: Draft,
): Promise<Result<AcceptResult | undefined, StoreFault>> {
  const { deliveries, reservations } = await reserveInSlices(context, draft);
  const message = { ...draft.message, deliveries };
  const outcome = await context.commits.write({ accept: [message] });
  if (outcome.isErr()) {
    cancelReservations(reservations);
    return err(outcome.error);
  }
  const { accepted, lease } = outcome.value;
  const queuedMessage = { message, reservations, warnings: draft.warnings, accepted: accepted[0], lease };
  concludeMessage(context.emit, queuedMessage);
  for (let from = 0; from < deliveries.length; from += SLICE_UNITS) {
    if (from > 0) await context.nextSlice();
    queueSome(context, queuedMessage, { from, to: from + SLICE_UNITS });
  }
  context.wake();
  return ok(accepted[0]);
}

type ReserveInSlicesContext = ArrivalContext & Pick<EnqueueLargeContext, "nextSlice">;

async function reserveInSlices(
  context: ReserveInSlicesContext,
  { message, destinations }: Draft,
): Promise<ReservedDeliveries> {
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

interface QueuedMessage extends ReservedMessage {
  /** The outcome of the message in the store. */
  readonly accepted: AcceptResult | undefined;
  readonly lease: HeldLease;
}

/** Reports the outcome of a message, and queues all its deliveries. */
function queueStored(context: QueueContext, queuedMessage: QueuedMessage): void {
  concludeMessage(context.emit, queuedMessage);
  queueSome(context, queuedMessage, { from: 0, to: queuedMessage.reservations.length });
}

/** Reports the outcome of a message. If the message was not stored, cancels its reservations. */
function concludeMessage(emit: EmitEvent, { message, reservations, accepted, warnings }: QueuedMessage): void {
  const { source, messageId, filtered } = message;
  if (accepted?.kind === "stored") {
    const { deliveries } = accepted;
    if (warnings === undefined) emit({ kind: "accepted", source, messageId, deliveries, filtered });
    else emit({ kind: "accepted", source, messageId, deliveries, filtered, warnings });
    return;
  }
  cancelReservations(reservations);
  emit({ kind: accepted?.kind ?? "duplicate", source, messageId });
}

/** Queues those deliveries of the message whose index is at least `from` and less than `to`. */
function queueSome(
  context: QueueContext,
  queuedMessage: QueuedMessage,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  const { reservations, accepted } = queuedMessage;
  if (accepted?.kind !== "stored") return;
  const end = Math.min(to, reservations.length);
  for (let index = from; index < end; index += 1) {
    const reservation = reservations[index];
    const id = accepted.deliveries[index];
    if (reservation !== undefined && id !== undefined) queueDelivery(context, queuedMessage, { reservation, id });
  }
}

interface StoredDelivery {
  readonly reservation: DeliveryReservation;
  readonly id: DeliveryId;
}

function queueDelivery(
  { handOff, lanes, emit }: QueueContext,
  { message, lease }: QueuedMessage,
  { reservation, id }: StoredDelivery,
): void {
  const { destination } = reservation;
  switch (reservation.kind) {
    case "claimed": {
      const { slot, entry } = reservation;
      handOff.give({ delivery: freshDelivery(message, id, destination), lease, slot, entry });
      break;
    }
    case "waiting":
      lanes.due(destination, reservation.dueAt);
      break;
    case "dead":
      emit({
        kind: "died",
        ...factsOf(freshDelivery(message, id, destination)),
        reason: reservation.reason,
        detail: null,
      });
      break;
  }
}

/** A new delivery, in the form in which a claim would return it. */
function freshDelivery(
  { source, type, messageId, receivedAt, body, traceparent }: NewMessage,
  id: DeliveryId,
  lane: DestinationId,
): HeldDelivery {
  return {
    id,
    lane,
    source,
    type,
    messageId,
    acceptedAt: receivedAt,
    dueAt: receivedAt,
    body,
    rounds: 0,
    endpoints: [],
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}
