// Deliveries in the order in which they were stored, to be read backwards from any point. What was swept leaves a gap;
// when gaps prevail, the rest closes ranks.

import type { StoredDelivery } from "./contents.js";

export interface History {
  add(delivery: StoredDelivery): void;
  /** Takes note that one of them is gone for good. */
  drop(delivery: StoredDelivery): void;
  /** Newest first, only those stored before the one of that number. */
  before(sequence: number): Iterable<StoredDelivery>;
}

export function createHistory(): History {
  let entries: StoredDelivery[] = [];
  let dropped = new Set<StoredDelivery>();

  return {
    add: (delivery): void => {
      entries.push(delivery);
    },
    drop: (delivery): void => {
      dropped.add(delivery);
      if (dropped.size * 2 <= entries.length) return;
      entries = entries.filter((entry) => !dropped.has(entry));
      dropped = new Set();
    },
    *before(sequence): Iterable<StoredDelivery> {
      for (let index = countBefore(entries, sequence) - 1; index >= 0; index -= 1) {
        const entry = entries[index];
        if (entry !== undefined && !dropped.has(entry)) yield entry;
      }
    },
  };
}

/** How many entries have a lower number, by halving. */
function countBefore(entries: readonly StoredDelivery[], sequence: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const isBefore = (entries[middle]?.sequence ?? sequence) < sequence;
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}
