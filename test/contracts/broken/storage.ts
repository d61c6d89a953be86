// The storage of a broken store.

import type { Clock, DeliveryStore } from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import type { StorageGate } from "@postrider/testkit/contracts";

export interface Storage {
  readonly open: () => Promise<DeliveryStore>;
  /** The same with little room. */
  readonly openCramped?: () => Promise<DeliveryStore>;
  /** The same through the gate of the suite. */
  readonly openGated?: (gate: StorageGate) => Promise<DeliveryStore>;
  /** The same as a store with this clock. */
  readonly openAt?: (clock: Clock) => Promise<DeliveryStore>;
  /** A damaged copy. */
  readonly openDamaged?: () => Promise<DeliveryStore>;
}

/** A memory store with a defect, on one disk that outlives it. */
export function overOneDisk(breakIt: (store: DeliveryStore) => DeliveryStore): Storage {
  const disk = createMemoryDisk();
  return {
    open: () => Promise.resolve(breakIt(createMemoryStore({ disk, shared: true }))),
    openCramped: () =>
      Promise.resolve(breakIt(createMemoryStore({ disk, shared: true, bounds: { maxDeliveries: 1_500 } }))),
    openAt: (clock) => Promise.resolve(breakIt(createMemoryStore({ disk, clock, shared: true }))),
  };
}
