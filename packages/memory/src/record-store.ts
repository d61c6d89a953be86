// The small records of a memory store, of deliveries or of audiences, by their kind and key. A record has only texts and numbers, and is
// copied when it is stored and read.

import { createStoreError, type RecordKind, type RecordStore, type StoredRecord } from "@postrider/core";

/** Runs `work` and answers with a promise; rejects once the store is closed. */
export type RunAsPromise = <T>(work: () => T) => Promise<T>;

export type RecordContents = Map<RecordKind, Map<string, StoredRecord>>;

/** `maxRecords` bounds the records of all kinds together. */
export function createMemoryRecords(
  contents: RecordContents,
  { maxRecords }: { readonly maxRecords: number },
  answer: RunAsPromise,
): RecordStore {
  function recordsOf(kind: RecordKind): Map<string, StoredRecord> {
    const records = contents.get(kind) ?? new Map<string, StoredRecord>();
    contents.set(kind, records);
    return records;
  }

  function isFull(): boolean {
    let count = 0;
    for (const records of contents.values()) count += records.size;
    return count >= maxRecords;
  }

  return {
    put: (record) =>
      answer(() => {
        const records = recordsOf(record.kind);
        const oldRevision = records.get(record.key)?.revision ?? 0;
        if (oldRevision !== record.revision - 1) return false;
        if (oldRevision === 0 && isFull())
          throw createStoreError("full", "the memory store is at its bound of records");
        records.set(record.key, { ...record });
        return true;
      }),
    find: (kind, key, above = 0) =>
      answer(() => {
        const record = recordsOf(kind).get(key);
        return record === undefined || record.revision <= above ? undefined : { ...record };
      }),
    list: ({ kind, tag, after, limit }) =>
      answer(() =>
        [...recordsOf(kind).values()]
          .filter((record) => (tag === undefined || record.tag === tag) && (after === undefined || record.key > after))
          .sort((a, b) => (a.key < b.key ? -1 : 1))
          .slice(0, limit)
          .map((record) => ({ ...record })),
      ),
    remove: (kind, key) => answer(() => void recordsOf(kind).delete(key)),
  };
}
