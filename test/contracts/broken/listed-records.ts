// Lists of records that leave out, repeat or mix up records, and processes that do not see the records of others.

import type { RecordQuery, RecordStore, StoredRecord } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { ALL, type BreakRecords } from "./records.js";

function listing(change: (records: RecordStore, query: RecordQuery) => Promise<readonly StoredRecord[]>): BreakRecords {
  return ({ records }) => ({ list: (query) => change(records, query) });
}

function listAll(records: RecordStore, { kind, tag }: RecordQuery): Promise<readonly StoredRecord[]> {
  return records.list({ kind, ...defined({ tag }), limit: ALL });
}

/** Lists at most 50 records. */
export const listingSome: BreakRecords = listing(async (records, query) => (await records.list(query)).slice(0, 50));

/** Takes a limit of none for no limit. */
export const listingWithoutLimit: BreakRecords = listing((records, query) =>
  records.list({ ...query, limit: query.limit === 0 ? ALL : query.limit }),
);

/** Finds its place in a list by the record before, and starts over if there is none. */
export const startingOver: BreakRecords = listing(async (records, query) => {
  const all = await listAll(records, query);
  return all.slice(all.findIndex(({ key }) => key === query.after) + 1).slice(0, query.limit);
});

/** Ends a list whose record before the page is gone. */
export const endingEarly: BreakRecords = listing(async (records, query) => {
  const isThere = query.after === undefined || (await records.find(query.kind, query.after)) !== undefined;
  return isThere ? records.list(query) : [];
});

/** Begins a page with the record before. */
export const repeatingTheLast: BreakRecords = listing(async (records, query) => {
  const all = await listAll(records, query);
  return all.filter(({ key }) => query.after === undefined || key >= query.after).slice(0, query.limit);
});

/** Lists records by the time of their last change. */
export function listingByTime(): BreakRecords {
  const changes: string[] = [];
  return ({ records }) => ({
    put: async (record) => {
      const isStored = await records.put(record);
      if (isStored) changes.push(record.key);
      return isStored;
    },
    list: async (query) => {
      const all = await listAll(records, query);
      const byTime = all.toSorted((one, other) => changes.lastIndexOf(one.key) - changes.lastIndexOf(other.key));
      return byTime.slice(byTime.findIndex(({ key }) => key === query.after) + 1).slice(0, query.limit);
    },
  });
}

/** Lists records whatever their tag. */
export const ignoringTags: BreakRecords = listing((records, { tag, ...query }) =>
  records.list(tag === undefined ? query : { ...query }),
);

/** Reads a page, and leaves out the records without the tag. */
export const filteringPages: BreakRecords = listing(async (records, { tag, ...query }) => {
  const page = await records.list(query);
  return tag === undefined ? page : page.filter((record) => record.tag === tag);
});

/** Continues a list by tag only after records with the tag. */
export const continuingByTag: BreakRecords = listing(async (records, query) => {
  const { tag, after } = query;
  const before = after === undefined ? undefined : await records.find(query.kind, after);
  return tag === undefined || before === undefined || before.tag === tag ? records.list(query) : [];
});

/** Lists records by the tag that they had at first. */
export function keepingFirstTags(): BreakRecords {
  const tags = new Map<string, string | undefined>();
  return ({ records }) => ({
    put: async (record) => {
      const isStored = await records.put(record);
      const name = `${record.kind} ${record.key}`;
      if (isStored && record.revision === 1) tags.set(name, record.tag);
      return isStored;
    },
    list: async ({ tag, ...query }) => {
      const all = await records.list({ ...query, limit: ALL });
      const tagged = all.filter(({ kind, key }) => tag === undefined || tags.get(`${kind} ${key}`) === tag);
      return tagged.slice(0, query.limit);
    },
  });
}

/** Lists records by the beginning of their tag. */
export const listingByPrefix: BreakRecords = listing(async (records, { tag, ...query }) => {
  const all = await records.list({ ...query, limit: ALL });
  return all.filter((record) => tag === undefined || record.tag?.startsWith(tag) === true).slice(0, query.limit);
});

/** Keeps 32 letters of a tag. */
export const cuttingTags: BreakRecords = ({ records }) => ({
  put: ({ tag, ...record }) => records.put({ ...record, ...defined({ tag: tag?.slice(0, 32) }) }),
});

/** Reads a record once, and again only after it has put one. */
export const remembering: BreakRecords = ({ records }) => {
  const known = new Map<string, Promise<StoredRecord | undefined>>();
  return {
    find: async (kind, key, above = 0) => {
      const name = `${kind} ${key}`;
      const reading = known.get(name) ?? records.find(kind, key);
      known.set(name, reading);
      const record = await reading;
      return record === undefined || record.revision <= above ? undefined : record;
    },
    put: (record) => {
      known.delete(`${record.kind} ${record.key}`);
      return records.put(record);
    },
    remove: (kind, key) => {
      known.delete(`${kind} ${key}`);
      return records.remove(kind, key);
    },
  };
};

/** Compares a revision with the one that the process put last, and writes over any. */
export const comparingWithItsLast: BreakRecords = ({ records }) => {
  const last = new Map<string, number>();
  return {
    put: async (record) => {
      const name = `${record.kind} ${record.key}`;
      const { revision } = (await records.find(record.kind, record.key)) ?? { revision: 0 };
      if ((last.get(name) ?? revision) !== record.revision - 1) return false;
      last.set(name, record.revision);
      return records.put({ ...record, revision: revision + 1 });
    },
    remove: (kind, key) => {
      last.delete(`${kind} ${key}`);
      return records.remove(kind, key);
    },
  };
};
