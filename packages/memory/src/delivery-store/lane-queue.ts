// The unfinished deliveries of one lane, by when each can be claimed: those tried before and those never tried in a queue of
// their own each, so that a claim can give either its share. Whether one was tried may change while it stands here; which
// queue it joined does not.

import { createOrderedHeap, type OrderedHeap } from "../ordered-heap.js";
import type { StoredDelivery } from "./contents.js";

export interface LaneQueue {
  add(delivery: StoredDelivery): void;
  remove(delivery: StoredDelivery): void;
  /** The earliest of both kinds. */
  first(): StoredDelivery | undefined;
  readonly untried: OrderedHeap<StoredDelivery>;
  readonly tried: OrderedHeap<StoredDelivery>;
  /** All of them, in no useful order. */
  members(): readonly StoredDelivery[];
}

export function createLaneQueue(): LaneQueue {
  const untried = createOrderedHeap<StoredDelivery>();
  const tried = createOrderedHeap<StoredDelivery>();
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
    members: () => [...untried.members(), ...tried.members()],
  };
}

function earlier(one: StoredDelivery | undefined, other: StoredDelivery | undefined): StoredDelivery | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  if (one.at !== other.at) return one.at < other.at ? one : other;
  return one.sequence < other.sequence ? one : other;
}
