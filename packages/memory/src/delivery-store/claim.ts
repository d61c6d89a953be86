// Claims what is due, earliest first, lane by lane. One queue serves what waits and what was left under an ended lease,
// since a claimed delivery stands in it at the end of its lease. What has come out of reach dies here instead.

import type { Body, Claimed, ClaimedDelivery, ClaimRequest, DestinationId, EpochMs, Lease } from "@postrider/core";
import type { Contents, StoredDelivery } from "./contents.js";
import { copyBody, copyEndpoints } from "./copies.js";
import { isOutOfReach } from "./deletions/reach.js";
import { move } from "./move.js";

export function claim(contents: Contents, request: ClaimRequest, now: EpochMs): Claimed {
  const due = request.lanes.flatMap(({ lane, limit }) => claimLane(contents, { lane, limit, lease: request }, now));
  const nextDueAt = new Map<DestinationId, EpochMs>();
  for (const { lane } of request.lanes) {
    const next = contents.lanes.get(lane)?.queue.first();
    if (next !== undefined) nextDueAt.set(lane, next.at);
  }
  return { deliveries: due.map(showClaimed), nextDueAt };
}

interface LaneClaim {
  readonly lane: DestinationId;
  readonly limit: number;
  readonly lease: Lease;
}

interface Due {
  readonly delivery: StoredDelivery;
  readonly dueAt: EpochMs;
  readonly body: Body;
}

function claimLane(contents: Contents, { lane, limit, lease }: LaneClaim, now: EpochMs): readonly Due[] {
  const claimed: Due[] = [];
  for (let looked = 0; looked < limit; looked += 1) {
    const next = contents.lanes.get(lane)?.queue.first();
    if (next === undefined || next.at > now) break;
    const { body } = next.message;
    if (body === undefined || isOutOfReach(contents, next)) {
      move(contents, next, "ended", now);
      next.reason = "purged";
      continue;
    }
    claimed.push({ delivery: next, dueAt: next.at, body });
    move(contents, next, "claimed", (now + lease.leaseMs) as EpochMs);
    next.token = lease.token;
  }
  return claimed;
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
    ...(firstAttemptAt === undefined ? {} : { firstAttemptAt }),
  };
}
