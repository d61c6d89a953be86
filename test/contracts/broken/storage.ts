// The storage of a broken store.

import type { DeliveryStore } from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";

export interface Storage {
  readonly open: () => Promise<DeliveryStore>;
  /** The same with little room. */
  readonly openCramped?: () => Promise<DeliveryStore>;
}

/** A memory store with a defect, on one disk that outlives it. */
export function overOneDisk(breakIt: (store: DeliveryStore) => DeliveryStore): Storage {
  const disk = createMemoryDisk();
  return {
    open: () => Promise.resolve(breakIt(createMemoryStore({ disk }))),
    openCramped: () => Promise.resolve(breakIt(createMemoryStore({ disk, bounds: { maxDeliveries: 1_500 } }))),
  };
}
