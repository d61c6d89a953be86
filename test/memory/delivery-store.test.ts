// The memory store fulfils the contract of the storage port.

import { createManualClock, createMemoryDisk, createMemoryStore } from "@postrider/memory";
import {
  deliveryStoreContract,
  type DeliveryStoreHarness,
  deliveryStoreModelContract,
} from "@postrider/testkit/contracts";
import { describe, it } from "vitest";
import { openBehindGate } from "../contracts/broken/gated-disk.js";

describe("the memory store", () => {
  for (const { name, run } of deliveryStoreContract(onNewDisk())) it(name, run);
  for (const { name, run } of deliveryStoreModelContract(() => onNewDisk())) it(name, run);
});

describe("the memory store behind a gate, where answers are late and accesses fail", () => {
  for (const { name, run } of deliveryStoreContract(behindGates())) it(name, run);
});

function onNewDisk(disk = createMemoryDisk()): DeliveryStoreHarness {
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
        pauses: true,
        replayJobs: true,
        laneChanges: true,
        settings: true,
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

/** Each call is one access, which may start late, be answered late, fail, or lose its answer. */
function behindGates(): DeliveryStoreHarness {
  const disk = createMemoryDisk();
  const harness = onNewDisk(disk);
  const supports = { ...harness.supports, interleaving: true, faults: true } as const;
  return { ...harness, openGated: (gate) => openBehindGate(disk, gate), supports };
}
