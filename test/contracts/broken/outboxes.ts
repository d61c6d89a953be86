// Stores whose outbox is broken. Their transactions are those of a memory disk, some of which are broken too.

import { createStoreError, type Outbox, type OutboxCall, type OutboxEntry, type SourceId } from "@postrider/core";
import { beginMemoryTransaction, createMemoryDisk, createMemoryStore, type MemoryDisk } from "@postrider/memory";
import type { HostTransaction } from "@postrider/testkit/contracts";
import { ALL_PARTS } from "../../memory/harness.js";
import { type Access, outboxBehindGate, overGatedDisk } from "./gated-disk.js";
import { lock } from "./racing-boards.js";
import type { Storage } from "./storage.js";

type OutboxDefect = (outbox: Outbox, disk: MemoryDisk) => Partial<Outbox>;

/** A storage whose outbox has these methods in place of those that work. */
export function overOutbox(
  change: OutboxDefect,
  begin: (disk: MemoryDisk) => HostTransaction = beginMemoryTransaction,
): Storage {
  const disk = createMemoryDisk();
  return {
    open: () => {
      const store = createMemoryStore({ disk, ...ALL_PARTS });
      const outbox = store.outbox!;
      return Promise.resolve({ ...store, outbox: { ...outbox, ...change(outbox, disk) } });
    },
    beginTransaction: () => Promise.resolve(begin(disk)),
  };
}

/** More than any case adds. */
export const ALL = 100_000;

export const keyOf = ({ source, call }: OutboxCall): string => JSON.stringify([source, call]);

export const addingAtOnce = (): Storage =>
  overOutbox((outbox, disk) => ({
    add: async (call) => {
      const { run, commit } = beginMemoryTransaction(disk);
      await outbox.add(call, run);
      await commit();
    },
  }));

export const mergingEqualCalls = (): Storage =>
  overOutbox((outbox) => ({
    read: async (query) => {
      const entries = await outbox.read(query);
      return entries.filter((entry, index) => entries.findIndex((one) => keyOf(one) === keyOf(entry)) === index);
    },
  }));

/** Removes also the entries that are equal to one that it removes. */
export const removingTwins = (): Storage =>
  overOutbox((outbox) => ({
    remove: async (ids) => {
      const entries = await outbox.read({ limit: ALL });
      const keys = new Set(entries.filter(({ id }) => ids.includes(id)).map(keyOf));
      await outbox.remove(entries.filter((entry) => keys.has(keyOf(entry))).map(({ id }) => id));
    },
  }));

/** The texts of each entry are changed when it is read. */
const changingCalls = (change: (call: OutboxCall) => Partial<OutboxCall>): Storage =>
  overOutbox((outbox) => ({
    read: async (query) => (await outbox.read(query)).map((entry) => ({ ...entry, ...change(entry) })),
  }));

export const writingCallsAnew = (): Storage =>
  changingCalls(({ call }) => ({ call: JSON.stringify(JSON.parse(call)) }));

export const expandingCalls = (): Storage => changingCalls(({ call }) => ({ call: "?".replace("?", call) }));

export const replacingNoncharacters = (): Storage =>
  changingCalls(({ call }) => ({ call: call.replaceAll(/[\ufffe\uffff]/g, "\ufffd") }));

export const undoingEscapes = (): Storage =>
  changingCalls(({ call }) => ({ call: call.replaceAll("&amp;", "&").replaceAll("&lt;", "<") }));

export const fillingTemplates = (): Storage =>
  changingCalls(({ call }) => ({ call: call.replaceAll(/\$\{\w+\}/g, "") }));

export const cuttingCalls = (): Storage =>
  changingCalls(({ call }) => (call.length > 65_536 ? { call: call.slice(0, 65_536) } : {}));

export const passingSourcesThroughUtf8 = (): Storage =>
  changingCalls(({ source }) => ({ source: new TextDecoder().decode(new TextEncoder().encode(source)) as SourceId }));

export const countingWithoutCase = (): Storage =>
  overOutbox((outbox) => ({
    count: async ({ source, limit }) =>
      (await outbox.read({ limit: ALL }))
        .filter((entry) => entry.source.toLowerCase() === source.toLowerCase())
        .slice(0, limit).length,
  }));

export const leavingOutWithoutCase = (): Storage =>
  overOutbox((outbox) => ({
    read: async ({ except = [], ...query }) => {
      const leftOut = new Set(except.map((source) => source.toLowerCase()));
      const sources = (await outbox.read({ limit: ALL })).map(({ source }) => source);
      return outbox.read({ ...query, except: sources.filter((source) => leftOut.has(source.toLowerCase())) });
    },
  }));

/** A call is unique, so that a second transaction waits until the first has ended. */
export function waitingForEqualCalls(): Storage {
  const locks = new Map<string, Promise<void>>();
  return overOutbox(
    () => ({}),
    (disk) => {
      const transaction = beginMemoryTransaction(disk);
      const releases: (() => void)[] = [];
      const held = new Set<string>();
      const ending = (end: () => Promise<void>) => () => {
        for (const release of releases.splice(0)) release();
        return end();
      };
      return {
        run: async (sql, values) => {
          const key = JSON.stringify(values);
          while (locks.has(key) && !held.has(key)) await locks.get(key);
          if (!held.has(key)) releases.push(lock(locks, key));
          held.add(key);
          await transaction.run(sql, values);
        },
        commit: ending(transaction.commit),
        rollback: ending(transaction.rollback),
      };
    },
  );
}

/** Each process has a separate outbox. */
export function keepingCallsInMemory(): Storage {
  const disk = createMemoryDisk();
  let ownDisk = disk;
  return {
    open: () => {
      ownDisk = createMemoryDisk();
      const { outbox } = createMemoryStore({ disk: ownDisk, outbox: true });
      return Promise.resolve({ ...createMemoryStore({ disk, ...ALL_PARTS }), outbox: outbox! });
    },
    beginTransaction: () => Promise.resolve(beginMemoryTransaction(ownDisk)),
  };
}

/** The entries behind another one, as a defect finds them among all that are not left out. */
const findingPlaces = (
  following: (entries: readonly OutboxEntry[], after: string) => readonly OutboxEntry[],
): Storage =>
  overOutbox((outbox) => ({
    read: async ({ after, limit, ...query }) => {
      const entries = await outbox.read({ ...query, limit: ALL });
      return (after === undefined ? entries : following(entries, after)).slice(0, limit);
    },
  }));

export const beginningWithTheLast = (): Storage =>
  findingPlaces((entries, after) => entries.filter(({ id }) => Number(id) >= Number(after)));

export const startingOverBehindTheGone = (): Storage =>
  findingPlaces((entries, after) => entries.slice(entries.findIndex(({ id }) => id === after) + 1));

export const endingBehindTheGone = (): Storage =>
  findingPlaces((entries, after) =>
    entries.some(({ id }) => id === after) ? entries.filter(({ id }) => Number(id) > Number(after)) : [],
  );

/** A process that has not read a page with an entry starts over behind it. */
export const startingOverBehindPagesOfOthers = (): Storage =>
  overOutbox((outbox) => {
    const read = new Set<string>();
    return {
      read: async ({ after, ...query }) => {
        const page = await outbox.read(after !== undefined && read.has(after) ? { ...query, after } : query);
        for (const { id } of page) read.add(id);
        return page;
      },
    };
  });

export const tellingShortPages = (): Storage =>
  overOutbox((outbox) => ({
    read: ({ limit, ...query }) => outbox.read({ ...query, limit: limit > 2 ? limit - 1 : limit }),
  }));

export const takingNoneForAll = (): Storage =>
  overOutbox((outbox) => ({
    read: ({ limit, ...query }) => outbox.read({ ...query, limit: limit === 0 ? ALL : limit }),
  }));

/** Goes on behind the highest number that any walk has seen. */
export function followingTheHighest(): Storage {
  let highest = 0;
  return overOutbox((outbox) => ({
    read: async ({ after, ...query }) => {
      const place = Math.max(highest, Number(after ?? 0));
      const entries = await outbox.read({ ...query, after: String(place) });
      highest = Math.max(place, ...entries.map(({ id }) => Number(id)));
      return entries;
    },
  }));
}

export const leavingOutAHundred = (): Storage =>
  overOutbox((outbox) => ({
    read: ({ except = [], ...query }) => outbox.read({ ...query, except: except.slice(0, 100) }),
  }));

export const takingNoSourceForAll = (): Storage =>
  overOutbox((outbox) => ({ read: async (query) => (query.except?.length === 0 ? [] : outbox.read(query)) }));

export const leavingOutOfPages = (): Storage =>
  overOutbox((outbox) => ({
    read: async ({ except = [], ...query }) =>
      (await outbox.read(query)).filter(({ source }) => !except.includes(source)),
  }));

export const countingBeyondLimits = (): Storage =>
  overOutbox((outbox) => ({ count: ({ source }) => outbox.count({ source, limit: ALL }) }));

export const countingAllCalls = (): Storage =>
  overOutbox((outbox) => ({ count: async ({ limit }) => (await outbox.read({ limit })).length }));

/** Counts that a process remembers as long as it does not add or remove calls itself. */
export const rememberingCounts = (): Storage =>
  overOutbox((outbox) => {
    const counts = new Map<string, number>();
    return {
      count: async (query) => {
        const key = JSON.stringify(query);
        const count = counts.get(key) ?? (await outbox.count(query));
        counts.set(key, count);
        return count;
      },
      add: (call, run) => {
        counts.clear();
        return outbox.add(call, run);
      },
      remove: (ids) => {
        counts.clear();
        return outbox.remove(ids);
      },
    };
  });

/** A source that had no calls once has none for good. */
export const rememberingEmptySources = (): Storage =>
  overOutbox((outbox) => {
    const empty = new Set<SourceId>();
    return {
      count: async (query) => {
        const count = await outbox.count(query);
        if (count === 0) empty.add(query.source);
        return empty.has(query.source) ? 0 : count;
      },
    };
  });

/** Takes the calls for as old as what it sweeps. */
export function sweepingCalls(): Storage {
  const storage = overOutbox(() => ({}));
  return {
    ...storage,
    open: async () => {
      const store = await storage.open();
      const { outbox } = store;
      return {
        ...store,
        sweep: async (request, now) => {
          const calls = request.deadBefore > now ? ((await outbox?.read({ limit: request.limit })) ?? []) : [];
          await outbox?.remove(calls.map(({ id }) => id));
          return store.sweep(request, now);
        },
      };
    },
  };
}

export const removingUpToTheLast = (): Storage =>
  overOutbox((outbox) => ({
    remove: async (ids) => {
      const highest = Math.max(...ids.map(Number));
      const entries = await outbox.read({ limit: ALL });
      await outbox.remove(entries.map(({ id }) => id).filter((id) => Number(id) <= highest));
    },
  }));

export const sortingIds = (): Storage =>
  overOutbox((outbox) => ({ remove: (ids) => outbox.remove((ids as string[]).sort()) }));

export const refusingTheGone = (): Storage =>
  overOutbox((outbox) => ({
    remove: async (ids) => {
      const there = new Set((await outbox.read({ limit: ALL })).map(({ id }) => id));
      if (!ids.every((id) => there.has(id))) throw createStoreError("busy", "an entry is gone");
      await outbox.remove(ids);
    },
  }));

/** Numbers an entry on from the highest that is there. */
export function numberingFromWhatIsThere(): Storage {
  const numbers = new Map<string, number>();
  const numbered = async (outbox: Outbox): Promise<readonly (OutboxEntry & { readonly real: string })[]> => {
    const entries = await outbox.read({ limit: ALL });
    for (const id of numbers.keys()) if (entries.every((entry) => entry.id !== id)) numbers.delete(id);
    for (const { id } of entries) if (!numbers.has(id)) numbers.set(id, Math.max(0, ...numbers.values()) + 1);
    return entries.map((entry) => ({ ...entry, id: String(numbers.get(entry.id)), real: entry.id }));
  };
  return overOutbox((outbox) => ({
    read: async ({ after = "0", limit, except = [] }) =>
      (await numbered(outbox))
        .filter(({ id, source }) => Number(id) > Number(after) && !except.includes(source))
        .slice(0, limit)
        .map(({ id, source, call }) => ({ id, source, call })),
    remove: async (ids) =>
      outbox.remove((await numbered(outbox)).filter(({ id }) => ids.includes(id)).map(({ real }) => real)),
  }));
}

type GatedOutboxDefect = (outbox: Outbox, access: Access) => Partial<Outbox>;

function overGatedOutbox(change: GatedOutboxDefect): Storage {
  return overGatedDisk(({ store: { outbox }, access }) =>
    outbox === undefined ? {} : { outbox: { ...outboxBehindGate(outbox, access), ...change(outbox, access) } },
  );
}

/** Takes an outbox that it cannot read for an empty one. */
export const readingNoCalls = (): Storage =>
  overGatedOutbox((outbox, access) => ({
    read: (query) => access(() => outbox.read(query)).catch(() => []),
    count: (query) => access(() => outbox.count(query)).catch(() => 0),
  }));

export const removingOneByOne = (): Storage =>
  overGatedOutbox((outbox, access) => ({
    remove: async (ids) => {
      for (const id of ids) await access(() => outbox.remove([id]));
    },
  }));

/** Locks each entry in the order in which they come. */
export function lockingEntries(): Storage {
  const locks = new Map<string, Promise<void>>();
  return overGatedOutbox((outbox, access) => ({
    remove: async (ids) => {
      const releases: (() => void)[] = [];
      try {
        for (const id of new Set(ids)) {
          await access(() => Promise.resolve());
          while (locks.has(id)) await locks.get(id);
          releases.push(lock(locks, id));
        }
        await access(() => outbox.remove(ids));
      } finally {
        for (const release of releases) release();
      }
    },
  }));
}

/** Rolls back what was not committed when a process opens it. */
export function droppingOpenTransactions(): Storage {
  let openings = 0;
  const storage = overOutbox(
    () => ({}),
    (disk) => {
      const { run, commit, rollback } = beginMemoryTransaction(disk);
      const begunAt = openings;
      return { run, rollback, commit: () => (begunAt === openings ? commit() : rollback()) };
    },
  );
  return {
    ...storage,
    open: () => {
      openings += 1;
      return storage.open();
    },
  };
}
