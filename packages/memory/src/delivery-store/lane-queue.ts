// The unfinished deliveries of one lane, ordered by the time from which each can be claimed. Deliveries with and
// without earlier rounds are in separate queues, so that a claim can take a share of each. A delivery whose `rounds`
// changes stays in its queue.

import { createOrderedHeap, type OrderedHeap, type HeapMember } from "../ordered-heap.js";

/** A delivery, with the fields that its order depends on. */
export interface QueuedDelivery extends HeapMember {
  readonly rounds: number;
}

export interface DueQueue<T extends QueuedDelivery> {
  add(delivery: T): void;
  remove(delivery: T): void;
  /** The earliest delivery of both queues. */
  first(): T | undefined;
  readonly untried: OrderedHeap<T>;
  readonly tried: OrderedHeap<T>;
  size(): number;
  /** The deliveries of both queues, in no particular order. */
  members(): readonly T[];
}

export function createDueQueue<T extends QueuedDelivery>(): DueQueue<T> {
  const untried = createOrderedHeap<T>();
  const tried = createOrderedHeap<T>();
  return {
    untried,
    tried,
    add: (delivery): void => {
      (delivery.rounds > 0 ? tried : untried).add(delivery);
    },
    remove: (delivery): void => {
      (tried.members()[delivery.place] === delivery ? tried : untried).remove(delivery);
    },
    first: () => earlier(untried.first(), tried.first()),
    size: () => untried.members().length + tried.members().length,
    members: () => [...untried.members(), ...tried.members()],
  };
}

function earlier<T extends QueuedDelivery>(one: T | undefined, other: T | undefined): T | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  if (one.at !== other.at) return one.at < other.at ? one : other;
  return one.sequence < other.sequence ? one : other;
}
