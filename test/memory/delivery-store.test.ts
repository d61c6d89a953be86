// The memory store fulfils the contract of the storage port.

import { createManualClock, createMemoryDisk, createMemoryStore } from "@postrider/memory";
import {
  deliveryStoreContract,
  type DeliveryStoreHarness,
  deliveryStoreModelContract,
} from "@postrider/testkit/contracts";
import { describe, it } from "vitest";

describe("the memory store", () => {
  for (const { name, run } of deliveryStoreContract(onNewDisk())) it(name, run);
  for (const { name, run } of deliveryStoreModelContract(onNewDisk)) it(name, run);
});

function onNewDisk(): DeliveryStoreHarness {
  const disk = createMemoryDisk();
  const clock = createManualClock();
  return {
    open: () => Promise.resolve(createMemoryStore({ disk })),
    now: () => clock.wall(),
    advance: (ms) => clock.advance(ms),
    openCramped: () => Promise.resolve(createMemoryStore({ disk, bounds: { maxDeliveries: 1_500 } })),
    supports: { restart: true, sharing: true, days: true, full: true, settlingWhenFull: true, deletions: true },
  };
}
