// A store keeps its promises across a port: over memory stores within one thread, and over SQLite in a separate thread,
// which runs the build: `tsc -b` first.

import type { AudienceStore, DeliveryStore } from "@postrider/core";
import { createManualClock, createMemoryAudienceStore, createMemoryDisk, createMemoryStore } from "@postrider/memory";
import {
  audienceStoreContract,
  type AudienceStoreHarness,
  deliveryStoreContract,
  type DeliveryStoreHarness,
  deliveryStoreModelContract,
} from "@postrider/testkit/contracts";
import { connectStores, type ConnectedStores } from "@postrider/thread";
import { Worker } from "node:worker_threads";
import { afterAll, describe, it } from "vitest";
import { newFile } from "../sqlite/files.js";
import { connected } from "./channel.js";

describe("the memory store across a port", () => {
  for (const { name, run } of deliveryStoreContract(onNewDisk())) it(name, run);
  for (const { name, run } of deliveryStoreModelContract(onNewDisk, { runs: 25 })) it(name, run);
});

describe("the memory store of audiences across a port", () => {
  for (const { name, run } of audienceStoreContract(audiencesOnNewDisk())) it(name, run);
});

describe("the SQLite store in a separate thread", () => {
  for (const { name, run } of deliveryStoreContract(onNewFile())) it(name, run);
  for (const { name, run } of deliveryStoreModelContract(onNewFile, { runs: 4 })) it(name, run);
});

describe("the SQLite store of audiences in a separate thread", () => {
  for (const { name, run } of audienceStoreContract(audiencesOnNewFile())) it(name, run);
});

function onNewDisk(): DeliveryStoreHarness {
  const disk = createMemoryDisk();
  const clock = createManualClock();
  return {
    open: async () => (await connected({ deliveries: createMemoryStore({ disk }) })).deliveries,
    openCramped: async () =>
      (await connected({ deliveries: createMemoryStore({ disk, bounds: { maxDeliveries: 1_500 } }) })).deliveries,
    now: () => clock.wall(),
    advance: (ms) => clock.advance(ms),
    supports: { restart: true, sharing: true, days: true, full: true, settlingWhenFull: true, deletions: true },
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

const PROGRAM = new URL("programs/sqlite-thread.js", import.meta.url);
const threads: Worker[] = [];

// What a crash leaves behind is never closed.
afterAll(async () => {
  await Promise.all(threads.map((thread) => thread.terminate()));
});

function inThread(file: string, roomPages?: number): Promise<ConnectedStores> {
  const thread = new Worker(PROGRAM, { workerData: { file, roomPages } });
  threads.push(thread);
  return connectStores(thread);
}

function onNewFile(): DeliveryStoreHarness {
  const file = newFile();
  const clock = createManualClock();
  const open = async (roomPages?: number): Promise<DeliveryStore> => (await inThread(file, roomPages)).deliveries;
  return {
    open: () => open(),
    openCramped: () => open(200),
    now: () => clock.wall(),
    advance: (ms) => clock.advance(ms),
    supports: {
      ...{ restart: true, sharing: true, days: true, full: true, deletions: true },
      settlingWhenFull: { reason: "a settlement writes, and a full disk takes no write" },
    },
  };
}

function audiencesOnNewFile(): AudienceStoreHarness {
  const file = newFile();
  return {
    open: async () => audiencesOf(await inThread(file)),
    openCramped: async () => audiencesOf(await inThread(file, 40)),
    supports: { restart: true, sharing: true, full: true },
  };
}

function audiencesOf({ audiences }: ConnectedStores): AudienceStore {
  if (audiences === undefined) throw new Error("no audiences are served");
  return audiences;
}
