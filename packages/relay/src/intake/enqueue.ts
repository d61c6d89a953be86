// The only way for a message into the lanes: its deliveries are started and get their reservations, it is stored in one
// commit with related writes, and then it is queued in its lanes, and the dispatcher is woken; or, if it was not stored, its
// reservations are cancelled. Must not know where messages come from.

import type { AcceptResult } from "@postrider/core";
import { err, ok, type Result } from "neverthrow";
import type { Commits } from "../storage/commits.js";
import type { WriteRequest } from "../storage/write-request.js";
import type { StoreFault } from "../storage/storage.js";
import { queueStored, type QueueContext } from "./queue-stored.js";
import { cancel, type Draft, reserve } from "./reserve.js";
import type { ArrivalContext } from "./start-deliveries.js";

export interface EnqueueContext extends ArrivalContext, QueueContext {
  readonly commits: Pick<Commits, "write">;
  /** Wakes the dispatcher: a stored delivery may be due. */
  readonly wake: () => void;
}

/**
 * Answers the outcome of each message, in their order. Slots are reserved before its promise is returned. Uses `await`
 * instead of neverthrow's `map`, which makes a generator per call: V8 keeps the arguments of a generator, here whole requests,
 * in memory until its next full collection.
 */
export async function enqueue(
  context: EnqueueContext,
  drafts: readonly Draft[],
  more: Partial<Omit<WriteRequest, "accept">> = {},
): Promise<Result<readonly AcceptResult[], StoreFault>> {
  const reserved = drafts.map((draft) => reserve(context, draft));
  const stored = await context.commits.write({ ...more, accept: reserved.map(({ message }) => message) });
  if (stored.isErr()) {
    for (const { reservations } of reserved) cancel(reservations);
    return err(stored.error);
  }
  const { accepted, lease } = stored.value;
  let index = 0;
  // Each call comes through here: neither an iterator nor a spread is made for it.
  for (const { message, reservations } of reserved) {
    queueStored(context, { message, reservations, accepted: accepted[index], lease });
    index += 1;
  }
  context.wake();
  return ok(accepted);
}
