// Ends those deliveries of a lane that match a request and are waiting, or whose lease has expired.

import type { EndRequest, EpochMs } from "@postrider/core";
import type { Contents, StoredDelivery } from "./contents.js";
import { isErased } from "./deletions/erasure.js";
import { noteLapse } from "./lapses.js";
import { move } from "./move.js";

export function end(contents: Contents, request: EndRequest, now: EpochMs): number {
  const members = contents.lanes.get(request.lane)?.queue.members() ?? [];
  const ending = members.filter((delivery) => mayEnd(delivery, request, now)).slice(0, request.limit);
  for (const delivery of ending) {
    noteLapse(delivery, now);
    move(contents, delivery, "ended", now);
    const isPurged = isErased(contents, delivery);
    delivery.reason = isPurged ? "purged" : request.reason;
    if (!isPurged && request.detail !== undefined) delivery.detail = request.detail;
  }
  return ending.length;
}

function mayEnd(delivery: StoredDelivery, request: EndRequest, now: EpochMs): boolean {
  const { firstAttemptBefore, acceptedBefore } = request;
  if (delivery.state === "claimed" && delivery.at > now) return false;
  if (acceptedBefore !== undefined && delivery.acceptedAt >= acceptedBefore) return false;
  if (firstAttemptBefore === undefined) return true;
  return delivery.firstAttemptAt !== undefined && delivery.firstAttemptAt < firstAttemptBefore;
}
