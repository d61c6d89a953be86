// Records that are wrong when two calls come at the same time, when their storage fails, or when their process dies.

import { createStoreError, type RecordStore, type StoredRecord } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import type { BreakRecords } from "./records.js";

/** Looks at the revision first, and then writes over any. */
export const comparingThenWriting: BreakRecords = ({ records, access, stored }) => ({
  put: async (record) => {
    const found = await records.find(record.kind, record.key);
    if ((found?.revision ?? 0) !== record.revision - 1) return false;
    return access(async () => (await stored.put(record)) || overwrite(stored, record));
  },
});

/** Stores a record at whatever revision is the next one. */
async function overwrite(stored: RecordStore, record: StoredRecord): Promise<boolean> {
  const { revision } = (await stored.find(record.kind, record.key)) ?? { revision: 0 };
  return stored.put({ ...record, revision: revision + 1 });
}

/** Creates what was new when it looked, and compares the revisions of all others with the write. */
export const creatingWhatWasNew: BreakRecords = (disk) => ({
  put: (record) =>
    (record.revision === 1 ? comparingThenWriting(disk).put?.(record) : undefined) ?? disk.records.put(record),
});

/** Puts a record back that was removed while it was replaced. */
export const replacingTheRemoved: BreakRecords = ({ records, access, stored }) => ({
  put: async (record) => {
    const found = await records.find(record.kind, record.key);
    if (found?.revision !== record.revision - 1) return records.put(record);
    return access(async () => {
      const isGone = (await stored.find(record.kind, record.key)) === undefined;
      return stored.put(isGone ? { ...record, revision: 1 } : record);
    });
  },
});

/** Puts the tag of a record in a further access. */
export function puttingTagsLater(): BreakRecords {
  const tags = new Map<string, string | undefined>();
  const withTag = ({ kind, key, revision, text }: StoredRecord): StoredRecord => ({
    ...{ kind, key, revision, text },
    ...defined({ tag: tags.get(`${kind} ${key}`) }),
  });
  return ({ records, access }) => ({
    put: async (record) => {
      const isStored = await records.put(record);
      if (isStored) await access(() => Promise.resolve(tags.set(`${record.kind} ${record.key}`, record.tag)));
      return isStored;
    },
    find: async (kind, key, above) => {
      const record = await records.find(kind, key, above);
      return record && withTag(record);
    },
    list: async ({ tag, limit, ...query }) => {
      const all = (await records.list({ ...query, limit: tag === undefined ? limit : 100_000 })).map(withTag);
      return all.filter((record) => tag === undefined || record.tag === tag).slice(0, limit);
    },
  });
}

/** Reads the keys of a list in one access, and each record in a further one. */
export const listingInSteps: BreakRecords = ({ records }) => ({
  list: async (query) => {
    const page = await records.list(query);
    const later = await records.list(query);
    return page.map((record, place) => ({ ...record, text: later[place]?.text ?? record.text }));
  },
});

/** Answers a change before it has written it. */
export const answeringEarly: BreakRecords = ({ records }) => ({
  put: async (record) => {
    const found = await records.find(record.kind, record.key);
    if ((found?.revision ?? 0) !== record.revision - 1) return false;
    records.put(record).catch(() => undefined);
    return true;
  },
});

/** Looks at a record after it was put, and is `busy` if it cannot. */
export const busyAfterPutting: BreakRecords = ({ records }) => ({
  put: async (record) => {
    const isStored = await records.put(record);
    await records.find(record.kind, record.key);
    return isStored;
  },
});

/** Looks at a record after it was removed, and is `busy` if it cannot. */
export const busyAfterRemoving: BreakRecords = ({ records }) => ({
  remove: async (kind, key) => {
    await records.remove(kind, key);
    await records.find(kind, key);
  },
});

/** Finds no record where it cannot read. */
export const findingNothing: BreakRecords = ({ records }) => ({
  find: (kind, key, above) => records.find(kind, key, above).catch(() => undefined),
});

/** Lists no records where it cannot read. */
export const listingNothing: BreakRecords = ({ records }) => ({ list: (query) => records.list(query).catch(() => []) });

/** Goes on after a fault that is `corrupt`. */
export const goingOn: BreakRecords = ({ stored, gate }) => ({
  put: (record) => {
    const code = gate.fault("before");
    if (code !== undefined) return Promise.reject(createStoreError(code, `the disk fails as ${code}`));
    return stored.put(record);
  },
});
