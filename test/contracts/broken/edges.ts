// Stores that take two ids for one: each compares one kind of id loosely, and gives back the text that came first.

import type { DeliveryStore, ListQuery } from "@postrider/core";

/** The fields in which each kind of id is given to a store. */
const FIELDS = {
  message: ["messageId"],
  source: ["source"],
  lane: ["lane", "destination"],
  token: ["token"],
  user: ["userIds"],
  endpoint: ["endpoint"],
  detail: ["detail"],
} as const;

/** A store that takes two ids of a kind for one if `fold` makes them equal. */
export function merging(kind: keyof typeof FIELDS, fold: (id: string) => string) {
  const firsts = new Map<string, string>();
  const toFirst = (id: string): string => {
    const folded = fold(id);
    const first = firsts.get(folded) ?? id;
    firsts.set(folded, first);
    return first;
  };
  return (store: DeliveryStore): DeliveryStore => changingFields(store, FIELDS[kind], toFirst);
}

/** A store that stores a changed text or number of the given fields. */
export function changingFields<T extends string | number>(
  store: DeliveryStore,
  fields: readonly string[],
  change: (value: T) => T,
): DeliveryStore {
  const changed = <Value>(value: Value): Value => changeFields(value, fields, change as (value: unknown) => unknown);
  const { deletions } = store;
  return {
    ...store,
    commit: (changes, now) => store.commit(changed(changes), now),
    claim: (request, now) => store.claim(changed(request), now),
    end: (request, now) => store.end(changed(request), now),
    pullIn: (request, now) => store.pullIn(changed(request), now),
    list: (query) => store.list(changed(query)),
    seen: (query, now) => store.seen(changed(query), now),
    ...(deletions === undefined
      ? {}
      : { deletions: { ...deletions, open: (deletion, now) => deletions.open(changed(deletion), now) } }),
  };
}

function changeFields<Value>(value: Value, fields: readonly string[], change: (value: unknown) => unknown): Value {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => changeFields(item, fields, change)) as Value;
  const entries = Object.entries(value).map(([name, field]: [string, unknown]) => {
    if (!fields.includes(name) || field === undefined) return [name, changeFields(field, fields, change)];
    return [name, Array.isArray(field) ? field.map(change) : change(field)];
  });
  return Object.fromEntries(entries) as Value;
}

/** Matches message ids as SQL's LIKE does. */
export function matchingByLike(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    list: async ({ messageId, ...query }: ListQuery) => {
      if (messageId === undefined) return store.list(query);
      const pattern = messageId
        .replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
        .replaceAll("%", "[^]*")
        .replaceAll("_", "[^]");
      const page = await store.list({ ...query, limit: 1_000 });
      const matches = page.deliveries.filter((delivery) => new RegExp(`^${pattern}$`).test(delivery.messageId));
      return { deliveries: matches };
    },
  };
}

/** Keeps the counters of refused calls in an object, where some names mean something else. */
export function countingInAnObject(refused: Record<string, number>): (store: DeliveryStore) => DeliveryStore {
  return (store) => ({
    ...store,
    commit: (changes, now) => {
      for (const { source, refused: more } of changes.tally) refused[source] = (refused[source] ?? 0) + more;
      return store.commit(changes, now);
    },
    counts: async () => (await store.counts()).map((counts) => ({ ...counts, refused: refused[counts.source] ?? 0 })),
  });
}

/** Reads ids of deliveries as numbers, and trims cursors. */
export function readingNumbers(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    find: (id) => store.find(String(Number(id)) as typeof id),
    list: ({ after, ...query }) => store.list(after === undefined ? query : { ...query, after: after.trim() }),
  };
}

/** Finds a deletion request without regard to case. */
export function foldingDeletions(store: DeliveryStore): DeliveryStore {
  const { deletions } = store;
  if (deletions === undefined) return store;
  const firstIds = new Map<string, string>();
  const first = <Id extends string>(id: Id): Id => (firstIds.get(id.toLowerCase()) ?? id) as Id;
  return {
    ...store,
    deletions: {
      ...deletions,
      open: (deletion, now) => {
        const folded = deletion.id.toLowerCase();
        if (!firstIds.has(folded)) firstIds.set(folded, deletion.id);
        return deletions.open({ ...deletion, id: first(deletion.id) }, now);
      },
      find: (id) => deletions.find(first(id)),
    },
  };
}
