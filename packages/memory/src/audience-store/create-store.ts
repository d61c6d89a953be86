// An audience store over a memory disk, which may also hold deliveries, and its records of audiences. The store itself has no state.
// Records are copied when they are stored and read, so a caller cannot change the stored ones.

import { type AudienceStore, createStoreError, type AudienceRecord, type RunningSync } from "@postrider/core";
import { createMemoryRecords } from "../record-store.js";
import { audiencesOf, createMemoryDisk, type MemoryDisk } from "../memory-disk.js";
import { append, drop, erase } from "./commit.js";
import { type MemoryAudienceStoreBounds, DEFAULT_AUDIENCE_BOUNDS, type AudienceContents } from "./contents.js";
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
    create: (record) => answer(() => create(audiences, bounds, record)),
    find: (key) => answer(() => find(audiences, key)),
    list: () => answer(() => list(audiences)),
    replace: (record) => answer(() => replace(audiences, record)),
    records: createMemoryRecords(audiences.small, { maxRecords: bounds.maxAudiences }, answer),
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

function create(
  { records }: AudienceContents,
  { maxAudiences }: MemoryAudienceStoreBounds,
  record: AudienceRecord,
): boolean {
  if (records.has(record.key)) return false;
  if (records.size >= maxAudiences) throw createStoreError("full", "the memory store is at its bound of audiences");
  records.set(record.key, copy(record));
  return true;
}

function find({ records }: AudienceContents, key: string): AudienceRecord | undefined {
  const record = records.get(key);
  return record === undefined ? undefined : copy(record);
}

function list({ records }: AudienceContents): readonly AudienceRecord[] {
  return [...records.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1)).map(copy);
}

/**
 * Replaces a record if the stored revision is one lower, otherwise returns false: of two callers that read the same
 * revision, only the first succeeds.
 */
function replace({ records }: AudienceContents, record: AudienceRecord): boolean {
  if (records.get(record.key)?.revision !== record.revision - 1) return false;
  records.set(record.key, copy(record));
  return true;
}

function copy(record: AudienceRecord): AudienceRecord {
  return {
    ...record,
    destinations: [...record.destinations],
    running: copyRunning(record.running),
    last: record.last === null ? null : { ...record.last },
    told: record.told.map((snapshot) => ({ ...snapshot, parts: snapshot.parts.map((part) => ({ ...part })) })),
  };
}

function copyRunning(running: RunningSync | null): RunningSync | null {
  if (running === null) return null;
  return running.kind === "sending" ? { ...running, left: [...running.left] } : { ...running };
}
