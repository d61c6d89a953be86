// A harness of the contract over the memory store.

import { createManualClock, createMemoryDisk, createMemoryStore } from "@postrider/memory";
import type { DeliveryStoreHarness } from "@postrider/testkit/contracts";

export function onNewDisk(disk = createMemoryDisk()): DeliveryStoreHarness {
  const clock = createManualClock();
  return {
    open: () => Promise.resolve(createMemoryStore({ disk, shared: true })),
    now: () => clock.wall(),
    advance: (ms) => clock.advance(ms),
    openWithClock: () => Promise.resolve(createMemoryStore({ disk, clock, shared: true })),
    openCramped: () => Promise.resolve(createMemoryStore({ disk, shared: true, bounds: { maxDeliveries: 1_500 } })),
    supports: {
      ...{
        restart: true,
        sharing: true,
        days: true,
        full: true,
        settlingWhenFull: true,
        deletions: true,
        records: true,
        laneChanges: true,
        board: true,
        traceparents: true,
        clock: true,
      },
      interleaving: { reason: "each call is one synchronous step" },
      faults: { reason: "memory does not fail" },
      damage: { reason: "there is no file" },
    },
  };
}
