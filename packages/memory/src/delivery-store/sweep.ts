// Removes finished deliveries that are older than their retention, earliest finished first. The counters stay as they
// are.

import type { EpochMs, SweepRequest } from "@postrider/core";
import type { OrderedHeap } from "../ordered-heap.js";
import type { Contents, StoredDelivery } from "./contents.js";
import { sizeOf } from "./move.js";

export function sweep(contents: Contents, request: SweepRequest): number {
  const { delivered, dead } = contents.finished;
  const first = sweepFinished(contents, delivered, { before: request.deliveredBefore, limit: request.limit });
  return first + sweepFinished(contents, dead, { before: request.deadBefore, limit: request.limit - first });
}

interface Slice {
  readonly before: EpochMs;
  readonly limit: number;
}

function sweepFinished(contents: Contents, finished: OrderedHeap<StoredDelivery>, { before, limit }: Slice): number {
  for (let removed = 0; removed < limit; removed += 1) {
    const oldest = finished.first();
    if (oldest === undefined || oldest.at >= before) return removed;
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
