// Audience stores that lose their position in a set, or change the ids of members.

import type { AudienceStore, Member } from "@postrider/core";

type Read = AudienceStore["read"];

/** Half a surrogate pair is no UTF-8. */
export function throughUtf8(store: AudienceStore): AudienceStore["append"] {
  return (set, members) =>
    store.append(
      set,
      members.map(({ userId, ...rest }): Member => ({
        ...rest,
        userId: new TextDecoder().decode(new TextEncoder().encode(userId)),
      })),
    );
}

/** A name exists from the first append, even an empty one. */
export function hidingNoName(store: AudienceStore): AudienceStore {
  const storedNames = new Set<string>();
  return {
    ...store,
    append: (set, members) => store.append(storedNames.add(set).has(set) ? set : "", members),
    sets: async (prefix) => {
      const names = [...storedNames].filter((name) => name.startsWith(prefix));
      return [...new Set([...(await store.sets(prefix)), ...names])].toSorted((one, other) => (one < other ? -1 : 1));
    },
  };
}

/** The beginning of a name is a pattern, as of a shell. */
export function findingByPattern(store: AudienceStore): AudienceStore["sets"] {
  return async (prefix) => {
    const pattern = prefix
      .replaceAll(/[.+^$()|{}[\]\\]/g, "\\$&")
      .replaceAll("*", "[^]*")
      .replaceAll("?", "[^]");
    return (await store.sets("")).filter((name) => new RegExp(`^${pattern}`).test(name));
  };
}

/** It cannot continue after a member that was removed. */
export function knowingOnlyMembers(store: AudienceStore): Read {
  return async (set, after) => {
    if (after === undefined) return store.read(set);
    const isMember = (await readAll(store, set)).some(({ userId }) => userId === after);
    return isMember ? store.read(set, after) : [];
  };
}

const PAGE = 1_000;

/** It reads in whole pages, and assumes that every caller does. */
export function goingOnAtThePageAfter(store: AudienceStore): Read {
  return async (set, after) => {
    const members = await readAll(store, set);
    const count = members.filter(({ userId }) => after !== undefined && userId <= after).length;
    const start = Math.ceil(count / PAGE) * PAGE;
    return members.slice(start, start + PAGE);
  };
}

async function readAll(store: AudienceStore, set: string): Promise<readonly Member[]> {
  const members: Member[] = [];
  for (let page = await store.read(set); page.length > 0; page = await store.read(set, members.at(-1)?.userId))
    members.push(...page);
  return members;
}
