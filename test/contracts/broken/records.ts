// Records that are stored or compared wrongly, each in one way.

import { RECORD_KINDS, type RecordStore, type StoredRecord } from "@postrider/core";
import { createMemoryAudienceStore, createMemoryDisk } from "@postrider/memory";
import type { StorageGate } from "@postrider/testkit/contracts";
import type { Access } from "./gated-disk.js";

/** The records of a store that works, and how it reaches its disk. */
export interface RecordAccess {
  /** Each call is one access. */
  readonly records: RecordStore;
  /** The same without a gate. */
  readonly stored: RecordStore;
  readonly access: Access;
  readonly gate: StorageGate;
}

/** The methods of records that take the place of those that work. */
export type BreakRecords = (disk: RecordAccess) => Partial<RecordStore>;

export const ALL = 100_000;

export const keepingInMemory: BreakRecords = () => createMemoryAudienceStore({ disk: createMemoryDisk() }).records;

/** Writes a new record over one with the same key. */
export const overwriting: BreakRecords = ({ records }) => ({
  put: async (record) => {
    if (record.revision === 1) await records.remove(record.kind, record.key);
    return records.put(record);
  },
});

/** Replaces a record whatever its revision. */
export const trustingRevisions: BreakRecords = ({ records }) => ({
  put: async (record) => {
    const { revision } = (await records.find(record.kind, record.key)) ?? { revision: 0 };
    return records.put(revision === 0 || record.revision === 1 ? record : { ...record, revision: revision + 1 });
  },
});

/** Stores a record that is to replace one, if there is none. */
export const bringingBack: BreakRecords = ({ records }) => ({
  put: async (record) => {
    const found = await records.find(record.kind, record.key);
    return records.put(found === undefined ? { ...record, revision: 1 } : record);
  },
});

/** Compares revisions by their lowest 32 bits. */
export const comparingBy32Bits: BreakRecords = ({ records }) => ({
  put: async (record) => {
    const { revision } = (await records.find(record.kind, record.key)) ?? { revision: 0 };
    const isNext = ((record.revision - 1) | 0) === revision;
    return isNext && records.put({ ...record, revision: revision + 1 });
  },
});

/** Keeps the tag of a record that is replaced by one without a tag. */
export const keepingTags: BreakRecords = ({ records }) => ({
  put: async (record) => records.put({ ...(await records.find(record.kind, record.key)), ...record }),
});

/** Keeps the text of a record that is replaced. */
export const keepingTexts: BreakRecords = ({ records }) => ({
  put: async (record) => {
    const { text } = (await records.find(record.kind, record.key)) ?? record;
    return records.put({ ...record, text });
  },
});

/** Finds records whose revision is not higher. */
export const findingAlways: BreakRecords = ({ records }) => ({ find: (kind, key) => records.find(kind, key) });

/** Finds only the revision that follows. */
export const findingTheNext: BreakRecords = ({ records }) => ({
  find: async (kind, key, above) => {
    const record = await records.find(kind, key, above);
    return above === undefined || record?.revision === Math.floor(above) + 1 ? record : undefined;
  },
});

/** Has one set of keys for all kinds. */
export const joiningKinds: BreakRecords = ({ records }) => ({
  put: (record) => records.put({ ...record, kind: "audience" }),
  find: async (kind, key, above) => withKind(await records.find("audience", key, above), kind),
  list: async (query) => {
    const all = await records.list({ ...query, kind: "audience" });
    return all.map((record) => ({ ...record, kind: query.kind }));
  },
  remove: (_kind, key) => records.remove("audience", key),
});

function withKind(record: StoredRecord | undefined, kind: StoredRecord["kind"]): StoredRecord | undefined {
  return record && { ...record, kind };
}

/** Removes the records of all kinds with a key. */
export const removingAllKinds: BreakRecords = ({ records }) => ({
  remove: async (_kind, key) => {
    for (const kind of RECORD_KINDS) await records.remove(kind, key);
  },
});

/** Counts on where a record was removed. */
export function countingOn(): BreakRecords {
  const removed = new Set<string>();
  return ({ records }) => ({
    put: async (record) =>
      !(removed.has(nameOf(record.kind, record.key)) && record.revision === 1) && records.put(record),
    remove: async (kind, key) => {
      if ((await records.find(kind, key)) !== undefined) removed.add(nameOf(kind, key));
      await records.remove(kind, key);
    },
  });
}

function nameOf(kind: string, key: string): string {
  return `${kind} ${key}`;
}

/** Hands out the objects that it was handed. */
export function aliasing(): BreakRecords {
  const handed = new Map<string, StoredRecord>();
  return ({ records }) => ({
    put: async (record) => {
      const isStored = await records.put(record);
      if (isStored) handed.set(nameOf(record.kind, record.key), record);
      return isStored;
    },
    find: async (kind, key, above) => {
      const record = await records.find(kind, key, above);
      return record && (handed.get(nameOf(kind, key)) ?? record);
    },
  });
}

/** Keeps keys changed, and finds them by keys that are changed in the same way. */
function keying(change: (key: string) => string): BreakRecords {
  return ({ records }) => ({
    put: (record) => records.put({ ...record, key: change(record.key) }),
    find: (kind, key, above) => records.find(kind, change(key), above),
    remove: (kind, key) => records.remove(kind, change(key)),
  });
}

export const foldingKeys: BreakRecords = keying((key) => key.toLowerCase());
export const trimmingKeys: BreakRecords = keying((key) => key.trim());
export const cuttingKeys: BreakRecords = keying((key) => key.slice(0, 255));
export const keysThroughUtf8: BreakRecords = keying((key) => new TextDecoder().decode(new TextEncoder().encode(key)));

/** Finds nothing under the empty key. */
export const missingTheEmptyKey: BreakRecords = ({ records }) => ({
  find: (kind, key, above) => (key === "" ? Promise.resolve(undefined) : records.find(kind, key, above)),
});

/** Takes the empty key before a page for none. */
export const startingAtTheEmptyKey: BreakRecords = ({ records }) => ({
  list: ({ after, ...query }) => records.list(after === "" || after === undefined ? query : { ...query, after }),
});

/** Keeps texts changed. */
function writing(change: (text: string) => string): BreakRecords {
  return ({ records }) => ({ put: (record) => records.put({ ...record, text: change(record.text) }) });
}

export const trimmingTexts: BreakRecords = writing((text) => text.replace(/[\t\n\r ]+$/, ""));
export const joiningLines: BreakRecords = writing((text) => text.replaceAll("\r", ""));
export const composingTexts: BreakRecords = writing((text) => text.normalize("NFC"));
export const cuttingTexts: BreakRecords = writing((text) => text.slice(0, 65_536));
export const cuttingLongTexts: BreakRecords = writing((text) => text.slice(0, 512_000));
export const droppingMarks: BreakRecords = writing((text) => text.replace(/^\ufeff/, ""));
/** Keeps a text as the value of its JSON. */
export const rewritingTexts: BreakRecords = writing((text) => {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
});
