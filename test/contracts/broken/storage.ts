// The storage of a broken store.

import type { Clock, DeliveryStore } from "@postrider/core";
import { beginMemoryTransaction, createMemoryDisk, createMemoryStore } from "@postrider/memory";
import type { HostTransaction, StoreWithEnd, StorageGate } from "@postrider/testkit/contracts";
import { ALL_PARTS } from "../../memory/harness.js";

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
  /** A transaction of a host. */
  readonly beginTransaction?: () => Promise<HostTransaction>;
  /** Waits until hints have arrived. */
  readonly awaitHint?: () => Promise<void>;
  /** The same as a store that can end by itself. */
  readonly openWithEnd?: () => Promise<StoreWithEnd>;
}

/** A memory store with a defect, on one disk that outlives it. */
export function overOneDisk(breakIt: (store: DeliveryStore) => DeliveryStore): Storage {
  const disk = createMemoryDisk();
  return {
    open: () => Promise.resolve(breakIt(createMemoryStore({ disk, ...ALL_PARTS }))),
    openCramped: () =>
      Promise.resolve(breakIt(createMemoryStore({ disk, ...ALL_PARTS, bounds: { maxDeliveries: 1_500 } }))),
    beginTransaction: () => Promise.resolve(beginMemoryTransaction(disk)),
    awaitHint: passMicrotasks,
    openAt: (clock) => Promise.resolve(breakIt(createMemoryStore({ disk, clock, ...ALL_PARTS }))),
  };
}

/** The turns of the microtask queue that a hint needs on its way in memory. */
const HINT_TURNS = 10;

export async function passMicrotasks(): Promise<void> {
  for (let turn = 0; turn < HINT_TURNS; turn += 1) await Promise.resolve();
}
