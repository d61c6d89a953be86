// What a broken store is opened on.

import type { DeliveryStore } from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";

export interface Storage {
  readonly open: () => Promise<DeliveryStore>;
  /** The same with room for few. */
  readonly openCramped?: () => Promise<DeliveryStore>;
}

/** A memory store with something broken in it, on one disk that outlives it. */
export function overOneDisk(breakIt: (store: DeliveryStore) => DeliveryStore): Storage {
  const disk = createMemoryDisk();
  return {
    open: () => Promise.resolve(breakIt(createMemoryStore({ disk }))),
    openCramped: () => Promise.resolve(breakIt(createMemoryStore({ disk, bounds: { maxDeliveries: 1_500 } }))),
  };
}
