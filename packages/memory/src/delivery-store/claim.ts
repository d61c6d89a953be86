// Claims due deliveries, lane by lane, earliest first. The queues of a lane hold both waiting deliveries, by due time,
// and claimed ones, by the end of their lease. A delivery whose data is purged, or is to be, is marked dead instead.

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
import { mustForget } from "./erasure.js";
import type { DueQueue } from "./indexes.js";
import { move } from "./move.js";

export function claim(contents: Contents, request: ClaimRequest, now: EpochMs): ClaimResult {
  const claimed = request.lanes.flatMap((laneClaim) => claimLane({ contents, lease: request, now }, laneClaim));
  const nextDueAt = new Map<DestinationId, EpochMs>();
  for (const { lane } of request.lanes) {
    const earliest = contents.lanes.get(lane)?.queue.first();
    if (earliest !== undefined) nextDueAt.set(lane, earliest.at);
  }
  return { deliveries: claimed.map(showClaimed), nextDueAt };
}

interface Claiming {
  readonly contents: Contents;
  readonly lease: Lease;
  readonly now: EpochMs;
}

interface DueDelivery {
  readonly delivery: StoredDelivery;
  readonly dueAt: EpochMs;
  readonly body: Body;
}

function claimLane(claiming: Claiming, { lane, limit, retries }: LaneClaim): readonly DueDelivery[] {
  const queue = claiming.contents.lanes.get(lane)?.queue;
  if (queue === undefined) return [];
  if (retries === undefined) return claimFrom(claiming, queue, limit).claimed;
  const tried = claimFrom(claiming, queue.tried, retries);
  const untried = claimFrom(claiming, queue.untried, limit - retries);
  // If the limit is not reached yet, only one of the two kinds can have more due deliveries.
  const more = claimFrom(claiming, queue, limit - tried.visits - untried.visits);
  return [...tried.claimed, ...untried.claimed, ...more.claimed];
}

/** Claims due deliveries of a queue. Visits up to `limit` deliveries, including those that become dead instead. */
function claimFrom(
  { contents, lease, now }: Claiming,
  queue: Pick<DueQueue<StoredDelivery>, "first">,
  limit: number,
): { readonly visits: number; readonly claimed: readonly DueDelivery[] } {
  const claimed: DueDelivery[] = [];
  let visits = 0;
  for (; visits < limit; visits += 1) {
    const delivery = queue.first();
    if (delivery === undefined || delivery.at > now) break;
    const { body } = delivery.message;
    if (body === undefined || mustForget(contents, delivery)) {
      noteLapse(delivery, now);
      move(contents, delivery, "ended", now);
      delivery.reason = "purged";
      continue;
    }
    claimed.push({ delivery, dueAt: delivery.at, body });
    noteLapse(delivery, now, lease.token);
    move(contents, delivery, "claimed", plusMs(now, lease.leaseMs));
    delivery.token = lease.token;
  }
  return { visits, claimed };
}

function showClaimed({ delivery, dueAt, body }: DueDelivery): ClaimedDelivery {
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

/** Counts a lapse if the delivery is claimed. `by` is the token of the claim that follows; absent if the delivery becomes dead. */
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
