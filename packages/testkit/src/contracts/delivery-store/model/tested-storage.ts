// The storage under test of a run, the stores that are open on it, and a log of all commands for the message of a
// failure.

import type { DeliveryStore, EpochMs } from "@postrider/core";
import { toPlainJson } from "../../check.js";
import type { DeliveryStoreHarness } from "../harness.js";
import { watchRejections } from "../watch-rejections.js";
import type { Model } from "./model.js";
import { lookAt, type Snapshot } from "./snapshot.js";

export interface TestedStorage {
  /** The stores that are open: one, or several that share the storage. */
  stores(): readonly [DeliveryStore, ...DeliveryStore[]];
  /** One of the open stores, for any number. */
  storeAt(place: number): DeliveryStore;
  /** True if the storage was opened only once. */
  isAlone(): boolean;
  /** Takes a snapshot of each open store. */
  lookAtAll(model: Model): Promise<readonly [Snapshot, ...Snapshot[]]>;
  now(): EpochMs;
  advance(ms: number): Promise<void>;
  /** Opens the storage again without closing the stores, as after a crash. */
  crash(): Promise<void>;
  /** Opens the storage once more, beside the stores in use. */
  openAnother(): Promise<void>;
  /** Closes one of several stores. */
  closeOne(place: number): Promise<void>;
  /** Logs a command; its instants are shown as milliseconds since the start of the run. */
  note(name: string, request: unknown): void;
  /** The log so far. */
  story(): string;
  close(): Promise<void>;
  /** Throws if a store has thrown, or has rejected with something else than a `StoreError`. */
  expectStoreErrors(): void;
}

/** Opens a storage that is new and empty. */
export async function openTestedStorage(harness: DeliveryStoreHarness): Promise<TestedStorage> {
  const startedAt = harness.now();
  const lines: string[] = [];
  const abandonedStores: DeliveryStore[] = [];
  const rejections = watchRejections();
  const open = async (): Promise<DeliveryStore> => rejections.watch(await harness.open());
  let stores: [DeliveryStore, ...DeliveryStore[]] = [await open()];

  return {
    stores: () => stores,
    storeAt: (place) => stores[place % stores.length] ?? stores[0],
    isAlone: () => stores.length + abandonedStores.length === 1,
    lookAtAll: async (model) => {
      const [first, ...others] = stores;
      const views: [Snapshot, ...Snapshot[]] = [await lookAt(model, first, harness.now())];
      for (const store of others) views.push(await lookAt(model, store, harness.now()));
      return views;
    },
    now: () => harness.now(),
    advance: (ms) => harness.advance(ms),
    crash: async (): Promise<void> => {
      abandonedStores.push(...stores);
      stores = [await open()];
    },
    openAnother: async (): Promise<void> => {
      stores = [...stores, await open()];
    },
    closeOne: async (place): Promise<void> => {
      const [first, ...others] = stores.toSpliced(place % stores.length, 1);
      if (first === undefined) return;
      const closedStore = stores[place % stores.length];
      stores = [first, ...others];
      await closedStore?.close();
    },
    note: (name, request): void => {
      const at = String(harness.now() - startedAt);
      lines.push(`  at ${at} ms: ${name} ${request === undefined ? "" : write(request, startedAt)}`.trimEnd());
    },
    story: () => lines.join("\n"),
    // Closes crashed stores too: they can no longer change anything, and may have open files.
    close: async (): Promise<void> => {
      for (const store of [...abandonedStores, ...stores]) await store.close().catch(() => undefined);
    },
    expectStoreErrors: rejections.expectNone,
  };
}

/** A number is an instant if it is this close to the start: all other numbers of a run are far smaller. */
const MAX_DISTANCE_MS = 1_000_000_000;

function write(request: unknown, startedAt: EpochMs): string {
  return JSON.stringify(toPlainJson(request), (_name, value: unknown) => {
    if (Array.isArray(value) && value.length === 0) return undefined;
    const isInstant = typeof value === "number" && Math.abs(value - startedAt) < MAX_DISTANCE_MS;
    return isInstant ? `${String(value - startedAt)} ms` : value;
  });
}
