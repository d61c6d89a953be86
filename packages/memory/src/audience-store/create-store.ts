// An audience store over a memory disk, which may also hold deliveries. The store itself has no state.

import { type AudienceStore, createStoreError } from "@postrider/core";
import { createMemoryRecords } from "../record-store.js";
import { audiencesOf, createMemoryDisk, type MemoryDisk } from "../memory-disk.js";
import { append, drop, erase } from "./commit.js";
import { type MemoryAudienceStoreBounds, DEFAULT_AUDIENCE_BOUNDS } from "./contents.js";
import { read, listSets } from "./reads.js";

/** The options of `createMemoryAudienceStore`. */
export interface MemoryAudienceStoreOptions {
  /** Holds the sets, also for further stores on it. Absent: a new, empty disk, which only this store has. */
  readonly disk?: MemoryDisk;
  /** An absent bound is taken from `DEFAULT_AUDIENCE_BOUNDS`. Adding beyond a bound rejects with `full`. */
  readonly bounds?: Partial<MemoryAudienceStoreBounds>;
}

/** Opens an audience store on a disk. After `close`, all methods reject with `unavailable`. */
export function createMemoryAudienceStore(options: MemoryAudienceStoreOptions = {}): AudienceStore {
  const audiences = audiencesOf(options.disk ?? createMemoryDisk());
  const bounds = { ...DEFAULT_AUDIENCE_BOUNDS, ...options.bounds };
  let isOpen = true;

  /** Runs `work` and returns a promise, which rejects if `work` throws. */
  function answer<T>(work: () => T): Promise<T> {
    return new Promise((resolve) => {
      if (!isOpen) throw createStoreError("unavailable", "the memory store is closed");
      resolve(work());
    });
  }

  return {
    records: createMemoryRecords(audiences.records, { maxRecords: bounds.maxAudiences }, answer),
    append: (set, members) => answer(() => append(audiences, bounds, { set, members })),
    read: (set, after) => answer(() => read(audiences, set, after)),
    sets: (prefix) => answer(() => listSets(audiences, prefix)),
    drop: (set) => answer(() => drop(audiences, set)),
    erase: (set, userIds) => answer(() => erase(audiences, set, userIds)),
    // Memory keeps no copies of removed entries.
    scrub: () => answer(() => true),
    close: (): Promise<void> => {
      isOpen = false;
      return Promise.resolve();
    },
  };
}
