// Audience stores that keep their records, or returned values, wrongly.

import type { AudienceRecord, AudienceStore, Member } from "@postrider/core";

type Replace = AudienceStore["replace"];

/** Replaces any revision. */
export function comparingNothing(store: AudienceStore): Replace {
  return async (record) => {
    const existing = await store.find(record.key);
    return existing !== undefined && store.replace({ ...record, revision: existing.revision + 1 });
  };
}

/** Between the read and the write another process can write. */
export function lookingThenWriting(store: AudienceStore): Replace {
  return async (record) => {
    const existing = await store.find(record.key);
    if (existing?.revision !== record.revision - 1) return false;
    await store.find(record.key);
    return (await store.replace(record)) || existing.key === record.key;
  };
}

/** Returns the objects that it was given, without a copy. */
export function aliasing(store: AudienceStore): AudienceStore {
  const records = new Map<string, AudienceRecord>();
  const memberObjects = new Map<string, Member>();
  return {
    ...store,
    create: async (record) => {
      const isNew = await store.create(record);
      if (isNew) records.set(record.key, record);
      return isNew;
    },
    replace: async (record) => {
      const isFirst = await store.replace(record);
      if (isFirst) records.set(record.key, record);
      return isFirst;
    },
    find: async (key) => records.get(key) ?? (await store.find(key)),
    append: async (set, members) => {
      await store.append(set, members);
      for (const member of members) memberObjects.set(`${set} ${member.userId}`, member);
    },
    read: async (set, after) =>
      (await store.read(set, after)).map((member) => memberObjects.get(`${set} ${member.userId}`) ?? member),
  };
}

/** A dropped set is still stored, and only this process hides it. */
export function hidingWhatIsDropped(store: AudienceStore): AudienceStore {
  const hidden = new Set<string>();
  return {
    ...store,
    append: async (set, members) => {
      if (hidden.delete(set)) while (!(await store.drop(set))) continue;
      await store.append(set, members);
    },
    read: (set, after) => (hidden.has(set) ? Promise.resolve([]) : store.read(set, after)),
    sets: async (prefix) => (await store.sets(prefix)).filter((name) => !hidden.has(name)),
    drop: (set) => Promise.resolve(hidden.add(set).has(set)),
  };
}
