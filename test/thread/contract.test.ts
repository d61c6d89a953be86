// A store keeps its promises across a port: over SQLite in a separate thread, which runs the build: `tsc -b` first.

import type { DeliveryStore } from "@postrider/core";
import { createManualClock } from "@postrider/memory";
import {
  audienceStoreContract,
  type AudienceStoreHarness,
  deliveryStoreContract,
  type DeliveryStoreHarness,
  deliveryStoreModelContract,
  type StoreWithEnd,
} from "@postrider/testkit/contracts";
import { connectStores, type ConnectedStores } from "@postrider/thread";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { rolldown } from "rolldown";
import { afterEach, beforeAll, describe, it } from "vitest";
import { newFile } from "../sqlite/files.js";
import { audiencesOf } from "./channel.js";

describe("the SQLite store in a separate thread", () => {
  for (const { name, run } of deliveryStoreContract(onNewFile())) it(name, run);
  for (const { name, run } of deliveryStoreModelContract(onNewFile, { runs: 4 })) it(name, run);
});

describe("the SQLite store of audiences in a separate thread", () => {
  for (const { name, run } of audienceStoreContract(audiencesOnNewFile())) it(name, run);
});

/** The program in one file, which hundreds of threads load in a third of the time. It is here, where it finds its packages. */
const BUNDLE = fileURLToPath(new URL("../../node_modules/.cache/threads/sqlite-thread.js", import.meta.url));
const threads = new Set<Worker>();

beforeAll(async () => {
  const input = fileURLToPath(new URL("programs/sqlite-thread.js", import.meta.url));
  const built = await rolldown({ input, platform: "node", external: ["@photostructure/sqlite"], logLevel: "silent" });
  await built.write({ dir: dirname(BUNDLE), format: "esm" });
  await built.close();
});

// What a crash leaves behind is never closed: the threads of a case end with it.
afterEach(async () => {
  await Promise.all([...threads].map((thread) => thread.terminate()));
  threads.clear();
});

function startThread(file: string, roomPages?: number): Worker {
  const thread = new Worker(BUNDLE, { workerData: { file, roomPages } });
  threads.add(thread);
  return thread;
}

function inThread(file: string, roomPages?: number): Promise<ConnectedStores> {
  return connectStores(startThread(file, roomPages));
}

/** A store that ends with its thread. */
async function inEndingThread(file: string): Promise<StoreWithEnd> {
  const thread = startThread(file);
  const { deliveries } = await connectStores(thread);
  const end = async (): Promise<void> => {
    await thread.terminate();
  };
  return { store: deliveries, end };
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
    openWithEnd: () => inEndingThread(file),
    supports: {
      ...{ restart: true, sharing: true, days: true, full: true, deletions: true },
      ...{ records: true, traceparents: true, onEnd: true },
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
