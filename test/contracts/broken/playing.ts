// Plays the contract of the delivery store on a broken store, or on one that works.

import { createStoreError } from "@postrider/core";
import { beginMemoryTransaction, createManualClock, createMemoryDisk, createMemoryStore } from "@postrider/memory";
import {
  type ContractCase,
  deliveryStoreContract,
  deliveryStoreModelContract,
  type DeliveryStoreHarness,
  type DeliveryStoreSupport,
  type Supported,
} from "@postrider/testkit/contracts";
import type { BrokenStore } from "../broken-stores.js";
import { fails } from "../fails.js";
import { openBehindGate } from "./gated-disk.js";
import { ALL_PARTS } from "../../memory/harness.js";
import { withEnd } from "./ends.js";
import { passMicrotasks, type Storage } from "./storage.js";

/** Every part, so that a new one has a line in docs/contracts.md. */
export const SUPPORTS: Required<DeliveryStoreSupport> = {
  ...{ restart: true, sharing: true, days: true, exactSweeps: true },
  ...{ full: true, settlingWhenFull: true, deletions: true, records: true, traceparents: true },
  ...{ laneChanges: true, board: true, clock: true },
  ...{ interleaving: true, faults: true, damage: true },
  ...{ outbox: true, hints: true, onEnd: true },
};

export const NEVER: Storage = { open: () => Promise.reject(new Error("not to be opened")) };

/** True if a store fails the promise that it breaks. */
export async function isCaught(broken: BrokenStore): Promise<boolean> {
  const promise = casesOn(broken).find(({ name }) => name === broken.breaks);
  return promise !== undefined && (await fails(promise));
}

/** All cases, to be played on a new storage of a broken store. */
export function casesOn({ create, supports, isForModel }: BrokenStore): readonly ContractCase[] {
  return allCases(create, supports, isForModel === true ? GUIDE_RUNS : MODEL_RUNS);
}

/** The number of runs that the guide asks the author of a store for before a release. */
const GUIDE_RUNS = 100;

/** Plays the case first that the store breaks, if it is one of the model. */
export async function isFoundByModel(
  { create, supports, breaks }: BrokenStore,
  seed: number,
  runs: number = GUIDE_RUNS,
): Promise<boolean> {
  const harness = (): DeliveryStoreHarness => harnessFor(create(), supports);
  const cases = deliveryStoreModelContract(harness, { runs, seed });
  const isFirst = ({ name }: ContractCase): number => Number(name === breaks);
  for (const modelCase of cases.toSorted((one, other) => isFirst(other) - isFirst(one)))
    if (await fails(modelCase)) return true;
  return false;
}

export const MODEL_RUNS = 12;

/** The same every time, so that docs/contracts.md changes only with the code. */
export const SEED = 4;
export const ANOTHER_SEED = 1;

export function allCases(
  create: () => Storage,
  supports: BrokenStore["supports"],
  runs: number = MODEL_RUNS,
): readonly ContractCase[] {
  const harness = (): DeliveryStoreHarness => harnessFor(create(), supports);
  return [...deliveryStoreContract(harness()), ...deliveryStoreModelContract(harness, { runs, seed: SEED })];
}

export function harnessFor(storage: Storage, supports: BrokenStore["supports"] = {}): DeliveryStoreHarness {
  const clock = createManualClock();
  const { openAt } = storage;
  const clocked = openAt && { openWithClock: () => openAt(clock) };
  return {
    ...{ ...storage, ...clocked, now: () => clock.wall(), advance: (ms) => clock.advance(ms) },
    supports: { ...usualFor(storage), ...supports },
  };
}

/** The support of a broken store that says nothing else. */
function usualFor(storage: Storage): DeliveryStoreSupport {
  const ifOpenedBy = (opener: keyof Storage): Supported =>
    storage[opener] === undefined ? { reason: `its storage has no \`${opener}\`` } : true;
  const unshared = { reason: "its processes tell each other nothing" };
  return {
    ...SUPPORTS,
    ...{ board: unshared, laneChanges: unshared, outbox: unshared, hints: unshared, onEnd: unshared },
    ...{ full: ifOpenedBy("openCramped"), settlingWhenFull: ifOpenedBy("openCramped") },
    ...{ interleaving: ifOpenedBy("openGated"), faults: ifOpenedBy("openGated") },
    ...{ clock: ifOpenedBy("openAt"), damage: ifOpenedBy("openDamaged") },
  };
}

export function workingStorage(): Storage {
  const disk = createMemoryDisk();
  return {
    open: () => Promise.resolve(createMemoryStore({ disk, ...ALL_PARTS })),
    openCramped: () => Promise.resolve(createMemoryStore({ disk, ...ALL_PARTS, bounds: { maxDeliveries: 1_500 } })),
    openGated: (gate) => openBehindGate(disk, gate),
    openAt: (clock) => Promise.resolve(createMemoryStore({ disk, clock, ...ALL_PARTS })),
    beginTransaction: () => Promise.resolve(beginMemoryTransaction(disk)),
    awaitHint: passMicrotasks,
    openWithEnd: () => Promise.resolve(withEnd(createMemoryStore({ disk, ...ALL_PARTS }))),
    openDamaged: () => Promise.reject(createStoreError("corrupt", "the copy is damaged")),
  };
}
