// Audience stores that keep their records, or what they handed out, in a way that does not hold.

import type { AudienceRecord, AudienceStore, Member } from "@postrider/core";

type Replace = AudienceStore["replace"];

/** Whatever is there gives way. */
export function comparingNothing(store: AudienceStore): Replace {
  return async (record) => {
    const found = await store.find(record.key);
    return found !== undefined && store.replace({ ...record, revision: found.revision + 1 });
  };
}

/** Between the look and the write there is time for another. */
export function lookingThenWriting(store: AudienceStore): Replace {
  return async (record) => {
    const found = await store.find(record.key);
    if (found?.revision !== record.revision - 1) return false;
    await store.find(record.key);
    return (await store.replace(record)) || found.key === record.key;
  };
}

/** What it was given is what it hands out. */
export function aliasing(store: AudienceStore): AudienceStore {
  const records = new Map<string, AudienceRecord>();
  const given = new Map<string, Member>();
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
      for (const member of members) given.set(`${set} ${member.userId}`, member);
    },
    read: async (set, after) =>
      (await store.read(set, after)).map((member) => given.get(`${set} ${member.userId}`) ?? member),
  };
}

/** A set that was dropped lies there still, and only this process knows that nobody is to see it. */
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
