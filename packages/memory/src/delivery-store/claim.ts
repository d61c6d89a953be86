// Claims due deliveries, lane by lane, earliest first. The queues of a lane hold both waiting deliveries, by due time,
// and claimed ones, by the end of their lease. A delivery whose data is to be erased is marked dead instead.

import {
  type Body,
  type ClaimResult,
  type ClaimedDelivery,
  type ClaimRequest,
  type DestinationId,
  type EpochMs,
  type LaneClaim,
  type Lease,
  plusMs,
  type LeaseToken,
  holderOf,
} from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { type Contents, type StoredDelivery, copyBody, copyEndpoints } from "./contents.js";
import { isErased } from "./erasure.js";
import type { DueQueue } from "./indexes.js";
import { move } from "./move.js";

export function claim(contents: Contents, request: ClaimRequest, now: EpochMs): ClaimResult {
  const claimed = request.lanes.flatMap((asked) => claimLane({ contents, lease: request, now }, asked));
  const nextDueAt = new Map<DestinationId, EpochMs>();
  for (const { lane } of request.lanes) {
    const next = contents.lanes.get(lane)?.queue.first();
    if (next !== undefined) nextDueAt.set(lane, next.at);
  }
  return { deliveries: claimed.map(showClaimed), nextDueAt };
}

interface Claiming {
  readonly contents: Contents;
  readonly lease: Lease;
  readonly now: EpochMs;
}

interface Due {
  readonly delivery: StoredDelivery;
  readonly dueAt: EpochMs;
  readonly body: Body;
}

function claimLane(claiming: Claiming, { lane, limit, retries }: LaneClaim): readonly Due[] {
  const queue = claiming.contents.lanes.get(lane)?.queue;
  if (queue === undefined) return [];
  if (retries === undefined) return claimFrom(claiming, queue, limit).claimed;
  const tried = claimFrom(claiming, queue.tried, retries);
  const untried = claimFrom(claiming, queue.untried, limit - retries);
  // If the limit is not reached yet, only one of the two kinds can have more due deliveries.
  const more = claimFrom(claiming, queue, limit - tried.looked - untried.looked);
  return [...tried.claimed, ...untried.claimed, ...more.claimed];
}

/** Claims due deliveries of a queue. Looks at up to `limit` deliveries, including those that become dead instead. */
function claimFrom(
  { contents, lease, now }: Claiming,
  queue: Pick<DueQueue<StoredDelivery>, "first">,
  limit: number,
): { readonly looked: number; readonly claimed: readonly Due[] } {
  const claimed: Due[] = [];
  let looked = 0;
  for (; looked < limit; looked += 1) {
    const next = queue.first();
    if (next === undefined || next.at > now) break;
    const { body } = next.message;
    if (body === undefined || isErased(contents, next)) {
      noteLapse(next, now);
      move(contents, next, "ended", now);
      next.reason = "purged";
      continue;
    }
    claimed.push({ delivery: next, dueAt: next.at, body });
    noteLapse(next, now, lease.token);
    move(contents, next, "claimed", plusMs(now, lease.leaseMs));
    next.token = lease.token;
  }
  return { looked, claimed };
}

function showClaimed({ delivery, dueAt, body }: Due): ClaimedDelivery {
  const { id, destination, message, acceptedAt, rounds, firstAttemptAt, endpoints, at } = delivery;
  return {
    id,
    lane: destination,
    source: message.source,
    type: message.type,
    messageId: message.messageId,
    acceptedAt,
    dueAt,
    body: copyBody(body),
    rounds,
    endpoints: copyEndpoints(endpoints),
    leaseUntil: at,
    ...defined({ firstAttemptAt, traceparent: message.traceparent }),
  };
}

/** `by`: the token of the claim that follows. Absent if the delivery becomes dead. Changes nothing if the delivery is not claimed. */
export function noteLapse(delivery: StoredDelivery, now: EpochMs, by?: LeaseToken): void {
  const { state, token, at, lapses } = delivery;
  if (state !== "claimed" || token === undefined) return;
  delivery.lapses = {
    count: (lapses?.count ?? 0) + 1,
    process: holderOf(token),
    leaseUntil: at,
    takenAt: now,
    ...defined({ takenBy: by && holderOf(by) }),
  };
}
