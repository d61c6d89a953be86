// A store keeps its promises across a port: over memory stores, with both ends of the port within one thread.

import type { AudienceStore } from "@postrider/core";
import { createManualClock, createMemoryAudienceStore, createMemoryDisk, createMemoryStore } from "@postrider/memory";
import {
  audienceStoreContract,
  type AudienceStoreHarness,
  deliveryStoreContract,
  type DeliveryStoreHarness,
  deliveryStoreModelContract,
} from "@postrider/testkit/contracts";
import { describe, it } from "vitest";
import { audiencesOf, connected } from "./channel.js";

describe("the memory store across a port", () => {
  for (const { name, run } of deliveryStoreContract(onNewDisk())) it(name, run);
  for (const { name, run } of deliveryStoreModelContract(onNewDisk, { runs: 25 })) it(name, run);
});

describe("the memory store of audiences across a port", () => {
  for (const { name, run } of audienceStoreContract(audiencesOnNewDisk())) it(name, run);
});

function onNewDisk(): DeliveryStoreHarness {
  const disk = createMemoryDisk();
  const clock = createManualClock();
  return {
    open: async () => (await connected({ deliveries: createMemoryStore({ disk }) })).deliveries,
    openWithClock: async () => (await connected({ deliveries: createMemoryStore({ disk, clock }) })).deliveries,
    openCramped: async () =>
      (await connected({ deliveries: createMemoryStore({ disk, bounds: { maxDeliveries: 1_500 } }) })).deliveries,
    now: () => clock.wall(),
    advance: (ms) => clock.advance(ms),
    supports: {
      restart: true,
      sharing: true,
      days: true,
      full: true,
      settlingWhenFull: true,
      deletions: true,
      records: true,
      traceparents: true,
      clock: true,
    },
  };
}

function audiencesOnNewDisk(): AudienceStoreHarness {
  const disk = createMemoryDisk();
  const connectedTo = async (audiences: AudienceStore): Promise<AudienceStore> =>
    audiencesOf(await connected({ deliveries: createMemoryStore({ disk }), audiences }));
  return {
    open: () => connectedTo(createMemoryAudienceStore({ disk })),
    openCramped: () => connectedTo(createMemoryAudienceStore({ disk, bounds: { maxMembers: 1_000 } })),
    supports: { restart: true, sharing: true, full: true },
  };
}
