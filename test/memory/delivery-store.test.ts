// The memory store keeps every promise of the storage port.

import { createManualClock, createMemoryDisk, createMemoryStore } from "@postrider/memory";
import { deliveryStoreContract } from "@postrider/testkit/contracts";
import { describe, it } from "vitest";

describe("the memory store", () => {
  const disk = createMemoryDisk();
  const clock = createManualClock();
  const cases = deliveryStoreContract({
    open: () => Promise.resolve(createMemoryStore({ disk })),
    now: () => clock.wall(),
    advance: (ms) => clock.advance(ms),
    supports: { restart: true, sharing: true, days: true },
  });
  for (const { name, run } of cases) it(name, run);
});
