// A harness of the contract over the memory store.

import { beginMemoryTransaction, createManualClock, createMemoryDisk, createMemoryStore } from "@postrider/memory";
import type { DeliveryStoreHarness } from "@postrider/testkit/contracts";

/** The parts of a store that other relays share, or hosts. */
export const ALL_PARTS = { shared: true, outbox: true, hints: true } as const;

export function onNewDisk(disk = createMemoryDisk()): DeliveryStoreHarness {
  const clock = createManualClock();
  return {
    open: () => Promise.resolve(createMemoryStore({ disk, ...ALL_PARTS })),
    now: () => clock.wall(),
    advance: (ms) => clock.advance(ms),
    openWithClock: () => Promise.resolve(createMemoryStore({ disk, clock, ...ALL_PARTS })),
    openCramped: () => Promise.resolve(createMemoryStore({ disk, ...ALL_PARTS, bounds: { maxDeliveries: 1_500 } })),
    beginTransaction: () => Promise.resolve(beginMemoryTransaction(disk)),
    awaitHint: () => clock.advance(0),
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
        outbox: true,
        hints: true,
      },
      onEnd: { reason: "memory does not end by itself" },
      interleaving: { reason: "each call is one synchronous step" },
      faults: { reason: "memory does not fail" },
      damage: { reason: "there is no file" },
    },
  };
}
