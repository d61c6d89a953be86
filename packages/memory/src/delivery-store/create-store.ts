// A delivery store over a memory disk. The store itself has no state: if it is dropped without `close`, nothing is lost, and
// two stores on one disk have the same contents.

import { type Clock, createStoreError, type DeliveryStore, type EpochMs } from "@postrider/core";
import { createMemoryRecords } from "../record-store.js";
import { contentsOf, createMemoryDisk, type MemoryDisk } from "../memory-disk.js";
import { type MemoryStoreBounds, DEFAULT_MEMORY_STORE_BOUNDS } from "./bounds.js";
import { claim } from "./claim.js";
import { commit } from "./commit.js";
import { counts, find, createMemoryLaneChanges, lanes, listSeen } from "./reads.js";
import { createMemoryBoard, createMemoryHints } from "./board.js";
import { createMemoryOutbox } from "./outbox.js";
import { createMemoryDeletions } from "./users.js";
import { end, pullIn, sweep } from "./maintenance.js";
import { list } from "./lists.js";

/** The options of `createMemoryStore`. */
export interface MemoryStoreOptions {
  /** Holds the contents, also for further stores on it. Absent: a new, empty disk, which only this store has. */
  readonly disk?: MemoryDisk;
  /**
   * An absent bound is taken from `DEFAULT_MEMORY_STORE_BOUNDS`. A commit or deletion request beyond a bound rejects
   * with `full`.
   */
  readonly bounds?: Partial<MemoryStoreBounds>;
  /** The clock of the store, for relays with separate clocks. Absent: the store has none. */
  readonly clock?: Pick<Clock, "wall">;
  /** True if several relays, each with a store on the disk, act as one towards receivers. */
  readonly shared?: boolean;
  /** True if hosts add calls to the disk in transactions, by `beginMemoryTransaction`: the store then has an `outbox`. */
  readonly outbox?: boolean;
  /** True if relays, each with a store on the disk, wake each other: the store then has `hints`. */
  readonly hints?: boolean;
}

/** Opens a store on a disk. After `close`, all methods reject with `unavailable`. */
export function createMemoryStore(options: MemoryStoreOptions = {}): DeliveryStore {
  const contents = contentsOf(options.disk ?? createMemoryDisk());
  const bounds = { ...DEFAULT_MEMORY_STORE_BOUNDS, ...options.bounds };
  const { clock } = options;
  let isOpen = true;
  const wakes = createMemoryHints(contents.listeners, answer);

  /** The time of an operation: that of the store's clock, or `now` if it has none. */
  function timeFor(now: EpochMs): EpochMs {
    return clock?.wall() ?? now;
  }

  /** Runs `work` and returns a promise, which rejects if `work` throws. */
  function answer<T>(work: () => T): Promise<T> {
    return new Promise((resolve) => {
      if (!isOpen) throw createStoreError("unavailable", "the memory store is closed");
      resolve(work());
    });
  }

  return {
    commit: (changes, now) => answer(() => commit(contents, bounds, changes, timeFor(now))),
    claim: (request, now) => answer(() => claim(contents, request, timeFor(now))),
    lanes: (page) => answer(() => lanes(contents, page)),
    end: (request, now) => answer(() => end(contents, request, timeFor(now))),
    pullIn: (request) => answer(() => pullIn(contents, request)),
    find: (id) => answer(() => find(contents, id)),
    list: (query) => answer(() => list(contents, query)),
    seen: (query, now) => answer(() => listSeen(contents, query, timeFor(now))),
    counts: () => answer(() => counts(contents)),
    sweep: (request) => answer(() => sweep(contents, request)),
    deletions: createMemoryDeletions(contents, bounds, { answer, timeFor }),
    records: createMemoryRecords(contents.records, bounds, answer),
    laneChanges: createMemoryLaneChanges(contents, answer),
    ...(options.shared && { board: createMemoryBoard(contents.board, bounds, { answer, timeFor }) }),
    ...(options.outbox && { outbox: createMemoryOutbox(contents.outbox, bounds, answer) }),
    ...(options.hints && { hints: wakes.hints }),
    ...(clock && { clock: { wall: () => answer(() => clock.wall()) } }),
    close: (): Promise<void> => {
      isOpen = false;
      wakes.close();
      return Promise.resolve();
    },
  };
}
