// The only way for a message into the lanes: starts its deliveries and makes their reservations, stores it in one
// commit with related writes, then queues it in its lanes and wakes the dispatcher. If it was not stored, cancels its
// reservations. Must not know where messages come from.

import type { AcceptResult } from "@postrider/core";
import { err, ok, type Result } from "neverthrow";
import type { Commits } from "../storage/commits.js";
import type { WriteRequest } from "../storage/write-request.js";
import type { StoreFault } from "../storage/store-fault.js";
import { queueStored, type QueueContext } from "./queue-stored.js";
import { cancelReservations, type Draft, reserve } from "./reserve.js";
import type { ArrivalContext } from "./start-deliveries.js";

export interface EnqueueContext extends ArrivalContext, QueueContext {
  readonly commits: Pick<Commits, "write">;
  /** Wakes the dispatcher: a stored delivery may be due. */
  readonly wake: () => void;
}

/**
 * Stores messages, and answers the outcome of each, in the order of `drafts`. Slots are reserved before the promise is
 * returned. Uses `await` instead of neverthrow's `map`, which creates a generator each time: V8 keeps the arguments of
 * a generator, here whole requests, in memory until its next full garbage collection.
 */
export async function enqueue(
  context: EnqueueContext,
  drafts: readonly Draft[],
  more: Partial<Omit<WriteRequest, "accept">> = {},
): Promise<Result<readonly AcceptResult[], StoreFault>> {
  const reserved = drafts.map((draft) => reserve(context, draft));
  const stored = await context.commits.write({ ...more, accept: reserved.map(({ message }) => message) });
  if (stored.isErr()) {
    for (const { reservations } of reserved) cancelReservations(reservations);
    return err(stored.error);
  }
  const { accepted, lease } = stored.value;
  for (const [index, { message, reservations, warnings }] of reserved.entries()) {
    queueStored(context, { message, reservations, warnings, accepted: accepted[index], lease });
  }
  context.wake();
  return ok(accepted);
}
