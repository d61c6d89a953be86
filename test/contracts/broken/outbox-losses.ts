// Stores that remove calls from their outbox without being asked to, that answer what was there before, or that take calls for others.

import type { DeliveryStore, Outbox, OutboxCall, OutboxEntry } from "@postrider/core";
import { ALL, keyOf, overOutbox } from "./outboxes.js";
import { overOneDisk, type Storage } from "./storage.js";

type Loses = (entry: OutboxEntry) => boolean;

async function removeFrom({ outbox }: DeliveryStore, isLost: Loses = () => true): Promise<void> {
  const entries = (await outbox?.read({ limit: ALL })) ?? [];
  await outbox?.remove(entries.filter(isLost).map(({ id }) => id));
}

interface Fields {
  readonly messageId: string;
  readonly userId: string;
  readonly timestamp: string;
}

const fieldsOf = ({ call }: OutboxCall): Partial<Fields> => JSON.parse(call) as Partial<Fields>;

/** Takes a stored message for the call with the same id. */
export const removingWhatIsStored = (): Storage =>
  overOneDisk((store) => ({
    ...store,
    commit: async (changes, now) => {
      const result = await store.commit(changes, now);
      const isStored: Loses = (entry) =>
        changes.accept.some(
          ({ source, messageId }) => source === entry.source && messageId === fieldsOf(entry).messageId,
        );
      if (changes.accept.length > 0) await removeFrom(store, isStored);
      return result;
    },
  }));

/** Makes room for a commit. */
export const makingRoom = (): Storage =>
  overOneDisk((store) => ({
    ...store,
    commit: (changes, now) =>
      store.commit(changes, now).catch(async (error: unknown) => {
        await removeFrom(store);
        throw error;
      }),
  }));

export const bringingForwardAndRemoving = (): Storage =>
  overOneDisk((store) => ({
    ...store,
    pullIn: async (request, now) => {
      const count = await store.pullIn(request, now);
      if (count > 0) await removeFrom(store);
      return count;
    },
  }));

/** Lists and removes what it has listed. */
export const removingWhatIsSeen = (): Storage =>
  overOneDisk((store) => ({
    ...store,
    seen: async (query, now) => {
      await removeFrom(store);
      return store.seen(query, now);
    },
  }));

export const purgingCalls = (): Storage =>
  overOneDisk((store) => {
    const deletions = store.deletions!;
    const purged = new Map<string, readonly string[]>();
    return {
      ...store,
      deletions: {
        ...deletions,
        open: (request, now) => {
          purged.set(request.id, request.userIds);
          return deletions.open(request, now);
        },
        purge: async (request, now) => {
          await removeFrom(store, (entry) => purged.get(request.id)?.includes(fieldsOf(entry).userId ?? "") === true);
          return deletions.purge(request, now);
        },
      },
    };
  });

/** Stores as little of suppressed users as a commit does. */
export const addingNoneOfSuppressed = (): Storage =>
  overOneDisk((store) => {
    const outbox = store.outbox!;
    return {
      ...store,
      outbox: {
        ...outbox,
        add: async (call, run) => {
          const suppressed = (await store.deletions?.suppressed({ limit: ALL })) ?? [];
          const { userId } = fieldsOf(call);
          if (!suppressed.some((row) => JSON.stringify(row).includes(JSON.stringify(userId))))
            await outbox.add(call, run);
        },
      },
    };
  });

const THIRTY_DAYS_MS = 30 * 86_400_000;

/** Knows the time by what it was told, and keeps no call for more than thirty days of it. */
export function openingWithoutTheOld(): Storage {
  let latest = 0;
  const storage = overOneDisk((store) => ({
    ...store,
    commit: (changes, now) => {
      latest = Math.max(latest, now);
      return store.commit(changes, now);
    },
  }));
  return {
    ...storage,
    open: async () => {
      const store = await storage.open();
      await removeFrom(store, (entry) => Date.parse(fieldsOf(entry).timestamp ?? "") < latest - THIRTY_DAYS_MS);
      return store;
    },
  };
}

/** A process remembers an answer that is to be kept until it changes the outbox itself. */
const remembering = (isKept: (method: "read" | "count", query: Query, answer: unknown) => boolean): Storage =>
  overOutbox((outbox) => {
    const kept = new Map<string, unknown>();
    const remember =
      <Q extends Query, A>(method: "read" | "count", ask: (query: Q) => Promise<A>) =>
      async (query: Q): Promise<A> => {
        const key = JSON.stringify([method, query]);
        const answer = kept.has(key) ? (kept.get(key) as A) : await ask(query);
        if (isKept(method, query, answer)) kept.set(key, answer);
        return answer;
      };
    const forget =
      <T extends readonly unknown[]>(change: (...values: T) => Promise<void>) =>
      (...values: T): Promise<void> => {
        kept.clear();
        return change(...values);
      };
    return {
      read: remember("read", (query: Parameters<Outbox["read"]>[0]) => outbox.read(query)),
      count: remember("count", (query: Parameters<Outbox["count"]>[0]) => outbox.count(query)),
      add: forget((call, run) => outbox.add(call, run)),
      remove: forget((ids) => outbox.remove(ids)),
    } satisfies Partial<Outbox>;
  });

interface Query {
  readonly limit: number;
  readonly after?: string;
  readonly except?: readonly string[];
}

export const rememberingFullCounts = (): Storage =>
  remembering((method, { limit }, answer) => method === "count" && answer === limit);

export const rememberingLaterPages = (): Storage =>
  remembering((method, { after }) => method === "read" && after !== undefined);

export const rememberingEmptyPages = (): Storage =>
  remembering((method, { except = [] }, answer) => method === "read" && except.length > 0 && String(answer) === "");

/** Takes an outbox for unchanged that has as many calls, and the same ones at both ends. */
export const rememberingByEnds = (): Storage =>
  overOutbox((outbox) => {
    const counts = new Map<string, number>();
    return {
      count: async (query) => {
        const ids = (await outbox.read({ limit: ALL })).map(({ id }) => id);
        const key = JSON.stringify([query, ids.length, ids[0], ids.at(-1)]);
        const count = counts.get(key) ?? (await outbox.count(query));
        counts.set(key, count);
        return count;
      },
    };
  });

/** Reads two pages, and answers the second of them when it is asked for next. */
export const readingAhead = (): Storage =>
  overOutbox((outbox) => {
    let next: { readonly key: string; readonly page: readonly OutboxEntry[] } | undefined;
    return {
      read: async ({ limit, ...query }) => {
        const ahead = next?.key === JSON.stringify([limit, query]) ? next.page : undefined;
        const entries = ahead ?? (await outbox.read({ ...query, limit: 2 * limit }));
        const key = JSON.stringify([limit, { ...query, after: entries[limit - 1]?.id }]);
        next = { key, page: entries.slice(limit) };
        if (next.page.length < limit) next = undefined;
        return entries.slice(0, limit);
      },
      remove: (ids) => {
        next = undefined;
        return outbox.remove(ids);
      },
    };
  });

export const countingEqualCallsOnce = (): Storage =>
  overOutbox((outbox) => ({
    count: async ({ source, limit }) => {
      const calls = (await outbox.read({ limit: ALL })).filter((entry) => entry.source === source).map(keyOf);
      return Math.min(limit, new Set(calls).size);
    },
  }));

/** As `String.hashCode` of Java. */
function hashOf(text: string): number {
  let hash = 0;
  for (let place = 0; place < text.length; place += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(place)) | 0;
  return hash;
}

export const countingByHash = (): Storage =>
  overOutbox((outbox) => ({
    count: async ({ source, limit }) => {
      // The length too, so that not all texts with a leading NUL are the same.
      const isSame = (one: string): boolean => one.length === source.length && hashOf(one) === hashOf(source);
      return (await outbox.read({ limit: ALL })).filter((entry) => isSame(entry.source)).slice(0, limit).length;
    },
  }));

/** A call that was removed may not come again. */
export function entombingCalls(): Storage {
  const tombs = new Map<string, number>();
  return overOutbox((outbox) => {
    const isAlive = (entry: OutboxEntry): boolean => Number(entry.id) <= (tombs.get(keyOf(entry)) ?? Infinity);
    return {
      read: async ({ limit, ...query }) =>
        (await outbox.read({ ...query, limit: ALL })).filter(isAlive).slice(0, limit),
      remove: async (ids) => {
        const entries = await outbox.read({ limit: ALL });
        const latest = Math.max(...entries.map(({ id }) => Number(id)));
        for (const entry of entries) if (ids.includes(entry.id)) tombs.set(keyOf(entry), latest);
        await outbox.remove(ids);
      },
    };
  });
}

/** Removes by the text of a call, of any source. */
export const removingByText = (): Storage =>
  overOutbox((outbox) => ({
    remove: async (ids) => {
      const entries = await outbox.read({ limit: ALL });
      const removed = entries.filter(({ id }) => ids.includes(id));
      const isTwin = (entry: OutboxEntry): boolean =>
        removed.some(({ source, call }) => source !== entry.source && call === entry.call);
      await outbox.remove([...ids, ...entries.filter(isTwin).map(({ id }) => id)]);
    },
  }));
