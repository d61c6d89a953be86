// Audience stores that do not erase all erased users from their sets.

import type { AudienceStore, Member } from "@postrider/core";

type Erase = AudienceStore["erase"];

/** It erases only on the page of the first one. */
export function erasingOnOnePage(store: AudienceStore): Erase {
  return async (set, userIds) => {
    const first = new Set((await store.read(set)).map(({ userId }) => userId));
    return store.erase(
      set,
      userIds.filter((userId) => first.has(userId)),
    );
  };
}

/** A set exists until it is dropped. */
export function keepingEmptySets(store: AudienceStore): AudienceStore {
  const emptied = new Set<string>();
  return {
    ...store,
    erase: async (set, userIds) => {
      const erased = await store.erase(set, userIds);
      if (erased > 0) emptied.add(set);
      return erased;
    },
    sets: async (prefix) => {
      const names = [...emptied].filter((name) => name.startsWith(prefix));
      return [...new Set([...(await store.sets(prefix)), ...names])].toSorted((one, other) => (one < other ? -1 : 1));
    },
  };
}

/** No member may come before the last one that was ever there. */
export function keepingPlaces(store: AudienceStore): AudienceStore {
  const last = new Map<string, string>();
  return {
    ...store,
    append: async (set, members) => {
      const [first] = members;
      if (first !== undefined && first.userId <= (last.get(set) ?? "")) throw new Error("not beyond the last");
      await store.append(set, members);
    },
    erase: async (set, userIds) => {
      const erased = await store.erase(set, userIds);
      last.set(set, userIds.toSorted().at(-1) ?? "");
      return erased;
    },
  };
}

/** Rewrites the remaining members, without values. */
export function losingValues(store: AudienceStore): Erase {
  return async (set, userIds) => {
    const erased = await store.erase(set, userIds);
    const members: Member[] = [];
    for (let page = await store.read(set); page.length > 0; page = await store.read(set, members.at(-1)?.userId))
      members.push(...page);
    while (!(await store.drop(set))) continue;
    await store.append(
      set,
      members.map(({ userId }) => ({ userId })),
    );
    return erased;
  };
}

/** Half a surrogate pair is no UTF-8. */
export function throughBytes(userId: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(userId));
}

/** They are still stored, and only this process hides them. */
export function hidingWhomItErased(store: AudienceStore): AudienceStore {
  const hidden = new Map<string, Set<string>>();
  const isSeen = (set: string): ((member: Member) => boolean) => {
    const own = hidden.get(set) ?? new Set();
    return ({ userId }) => !own.has(userId);
  };
  return {
    ...store,
    erase: (set, userIds) => {
      hidden.set(set, new Set([...(hidden.get(set) ?? []), ...userIds]));
      return Promise.resolve(userIds.length);
    },
    read: async (set, after) => (await store.read(set, after)).filter(isSeen(set)),
  };
}
