// How the contract of the delivery store is played on a broken store, or on one that works.

import { createStoreError } from "@postrider/core";
import { createManualClock, createMemoryDisk, createMemoryStore } from "@postrider/memory";
import {
  type ContractCase,
  deliveryStoreContract,
  deliveryStoreModelContract,
  type DeliveryStoreHarness,
  type DeliveryStoreSupport,
} from "@postrider/testkit/contracts";
import type { BrokenStore } from "../broken-stores.js";
import { openBehindGate } from "./gated-disk.js";
import type { Storage } from "./storage.js";

export const SUPPORTS: DeliveryStoreSupport = {
  ...{ restart: true, sharing: true, days: true },
  ...{ full: true, settlingWhenFull: true, deletions: true, pauses: true, replayJobs: true, traceparents: true },
  settings: true,
  board: true,
  clock: true,
  ...{ interleaving: true, faults: true, damage: true },
};

const UNGATED = { reason: "its disk has no gate" };
/** What a broken store supports unless it says something else. */
const USUAL: DeliveryStoreSupport = {
  ...SUPPORTS,
  ...{ interleaving: UNGATED, faults: UNGATED, damage: UNGATED },
  board: { reason: "its processes tell each other nothing" },
};

export const NEVER: Storage = { open: () => Promise.reject(new Error("not to be opened")) };

/** Whether a store fails the promise that it breaks. */
export async function isCaught(broken: BrokenStore): Promise<boolean> {
  const promise = casesOn(broken).find(({ name }) => name === broken.breaks);
  return promise !== undefined && (await fails(promise));
}

/** All cases, to be played on a new storage of a broken store. */
export function casesOn({ create, supports, isForModel }: BrokenStore): readonly ContractCase[] {
  return allCases(create, { ...USUAL, ...supports }, isForModel === true ? GUIDE_RUNS : MODEL_RUNS);
}

/** What the guide tells the author of a store to play before a release. */
const GUIDE_RUNS = 100;

export async function isFoundByModel({ create, supports }: BrokenStore, seed: number): Promise<boolean> {
  const harness = (): DeliveryStoreHarness => harnessFor(create(), { ...USUAL, ...supports });
  for (const one of deliveryStoreModelContract(harness, { runs: GUIDE_RUNS, seed })) if (await fails(one)) return true;
  return false;
}

const MODEL_RUNS = 12;

/** The same every time, so that docs/contracts.md changes only with the code. */
const SEED = 4;
export const ANOTHER_SEED = 1;

export function allCases(
  create: () => Storage,
  supports: DeliveryStoreSupport,
  runs: number = MODEL_RUNS,
): readonly ContractCase[] {
  const harness = (): DeliveryStoreHarness => harnessFor(create(), supports);
  return [...deliveryStoreContract(harness()), ...deliveryStoreModelContract(harness, { runs, seed: SEED })];
}

export function harnessFor(storage: Storage, supports: DeliveryStoreSupport): DeliveryStoreHarness {
  const clock = createManualClock();
  const { openAt } = storage;
  const clocked = openAt && { openWithClock: () => openAt(clock) };
  return { ...storage, ...clocked, now: () => clock.wall(), advance: (ms) => clock.advance(ms), supports };
}

export function workingStorage(): Storage {
  const disk = createMemoryDisk();
  return {
    open: () => Promise.resolve(createMemoryStore({ disk, shared: true })),
    openCramped: () => Promise.resolve(createMemoryStore({ disk, shared: true, bounds: { maxDeliveries: 1_500 } })),
    openGated: (gate) => openBehindGate(disk, gate),
    openAt: (clock) => Promise.resolve(createMemoryStore({ disk, clock, shared: true })),
    openDamaged: () => Promise.reject(createStoreError("corrupt", "the copy is damaged")),
  };
}

export async function fails({ run }: ContractCase): Promise<boolean> {
  try {
    await run();
    return false;
  } catch {
    return true;
  }
}
