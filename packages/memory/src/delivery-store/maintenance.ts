// Ends deliveries of a lane, brings forward those whose due time or end of lease is too far in the future, and removes finished deliveries
// that are older than their retention, earliest finished first; the counters stay as they are. The first two scan the whole lane: ending
// is rare, and deliveries are brought forward only after the clock was set back.

import type { EndRequest, EpochMs, PullInRequest, SweepRequest } from "@postrider/core";
import type { Contents, StoredDelivery } from "./contents.js";
import { mustForget } from "./erasure.js";
import { noteLapse } from "./claim.js";
import { move, sizeOf } from "./move.js";
import type { OrderedHeap } from "../ordered-heap.js";

export function end(contents: Contents, request: EndRequest, now: EpochMs): number {
  const members = contents.lanes.get(request.lane)?.queue.members() ?? [];
  const deliveries = members.filter((delivery) => mayEnd(delivery, request, now)).slice(0, request.limit);
  for (const delivery of deliveries) {
    noteLapse(delivery, now);
    move(contents, delivery, "ended", now);
    const isPurged = mustForget(contents, delivery);
    delivery.reason = isPurged ? "purged" : request.reason;
    if (!isPurged && request.detail !== undefined) delivery.detail = request.detail;
  }
  return deliveries.length;
}

function mayEnd(delivery: StoredDelivery, request: EndRequest, now: EpochMs): boolean {
  const { firstAttemptBefore, acceptedBefore } = request;
  if (delivery.state === "claimed" && delivery.at > now) return false;
  if (acceptedBefore !== undefined && delivery.acceptedAt >= acceptedBefore) return false;
  if (firstAttemptBefore === undefined) return true;
  return delivery.firstAttemptAt !== undefined && delivery.firstAttemptAt < firstAttemptBefore;
}

export function pullIn(contents: Contents, { lane, dueAfter, dueAt, limit }: PullInRequest): number {
  const queue = contents.lanes.get(lane)?.queue;
  if (queue === undefined) return 0;
  const lateDeliveries = queue.members().filter((delivery) => delivery.at > dueAfter);
  const deliveries = lateDeliveries.slice(0, limit);
  for (const delivery of deliveries) {
    queue.remove(delivery);
    delivery.at = dueAt;
    queue.add(delivery);
  }
  if (deliveries.length > 0) contents.changes.note(lane);
  return deliveries.length;
}

export function sweep(contents: Contents, request: SweepRequest): number {
  const { delivered, dead } = contents.finished;
  const { deliveredBefore, deadBefore, limit } = request;
  const deliveredCount = sweepFinished(contents, delivered, { finishedBefore: deliveredBefore, limit });
  return deliveredCount + sweepFinished(contents, dead, { finishedBefore: deadBefore, limit: limit - deliveredCount });
}

interface Slice {
  readonly finishedBefore: EpochMs;
  readonly limit: number;
}

function sweepFinished(
  contents: Contents,
  finished: OrderedHeap<StoredDelivery>,
  { finishedBefore, limit }: Slice,
): number {
  for (let removed = 0; removed < limit; removed += 1) {
    const oldest = finished.first();
    if (oldest === undefined || oldest.at >= finishedBefore) return removed;
    finished.remove(oldest);
    remove(contents, oldest);
  }
  return limit;
}

function remove(contents: Contents, delivery: StoredDelivery): void {
  contents.deliveries.delete(delivery.id);
  contents.history.drop(delivery);
  const { message } = delivery;
  message.deliveries.delete(delivery);
  if (message.deliveries.size === 0) contents.bytes -= sizeOf(message);
}
