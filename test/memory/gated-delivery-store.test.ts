// The memory store fulfils the contract behind a gate, too: each call is one access, which may start late, be answered late,
// fail, or lose its answer.

import { createMemoryDisk } from "@postrider/memory";
import { deliveryStoreContract, type DeliveryStoreHarness } from "@postrider/testkit/contracts";
import { describe, it } from "vitest";
import { openBehindGate } from "../contracts/broken/gated-disk.js";
import { onNewDisk } from "./harness.js";

describe("the memory store behind a gate, where answers are late and accesses fail", () => {
  for (const { name, run } of deliveryStoreContract(behindGates())) it(name, run);
});

function behindGates(): DeliveryStoreHarness {
  const disk = createMemoryDisk();
  const harness = onNewDisk(disk);
  const supports = { ...harness.supports, interleaving: true, faults: true } as const;
  return { ...harness, openGated: (gate) => openBehindGate(disk, gate), supports };
}
