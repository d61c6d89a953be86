// Audience stores that keep their sets wrongly.

import type { AudienceStore, Member } from "@postrider/core";

/** Returns the objects that it was given, without a copy. */
export function aliasing(store: AudienceStore): AudienceStore {
  const memberObjects = new Map<string, Member>();
  return {
    ...store,
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
