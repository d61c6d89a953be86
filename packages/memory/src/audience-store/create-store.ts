// An audience store over a memory disk, beside or without the deliveries there. It keeps nothing of its own: all that it
// knows lies on the disk.

import type { AudienceStore } from "@postrider/core";
import { audiencesOf, type MemoryDisk } from "../memory-disk.js";
import { storeError } from "../store-error.js";
import { type AudienceBounds, DEFAULT_AUDIENCE_BOUNDS } from "./bounds.js";
import { create, find, list, replace } from "./records.js";
import { append, drop, erase, namesOf, read } from "./sets.js";

export interface MemoryAudienceStoreOptions {
  readonly disk: MemoryDisk;
  /** What is left out is `DEFAULT_AUDIENCE_BOUNDS`. Beyond them what would add rejects with `full`. */
  readonly bounds?: Partial<AudienceBounds>;
}

/** Opens an audience store on a disk. After `close` everything rejects with `unavailable`. */
export function createMemoryAudienceStore(options: MemoryAudienceStoreOptions): AudienceStore {
  const audiences = audiencesOf(options.disk);
  const bounds = { ...DEFAULT_AUDIENCE_BOUNDS, ...options.bounds };
  let isOpen = true;

  /** Answers as a promise, whatever happens. */
  function answer<T>(work: () => T): Promise<T> {
    return new Promise((resolve) => {
      if (!isOpen) throw storeError("unavailable", "the memory store is closed");
      resolve(work());
    });
  }

  return {
    create: (record) => answer(() => create(audiences, bounds, record)),
    find: (key) => answer(() => find(audiences, key)),
    list: () => answer(() => list(audiences)),
    replace: (record) => answer(() => replace(audiences, record)),
    append: (set, members) => answer(() => append(audiences, bounds, { set, members })),
    read: (set, after) => answer(() => read(audiences, set, after)),
    sets: (prefix) => answer(() => namesOf(audiences, prefix)),
    drop: (set) => answer(() => drop(audiences, set)),
    erase: (set, userIds) => answer(() => erase(audiences, set, userIds)),
    // What is not in a map any more is nowhere.
    scrub: () => answer(() => true),
    close: (): Promise<void> => {
      isOpen = false;
      return Promise.resolve();
    },
  };
}
