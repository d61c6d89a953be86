// Stores that tell wrongly which lanes have changed.

import {
  type ChangedLanes,
  type DeliveryStore,
  type DestinationId,
  type EpochMs,
  type LaneChanges,
  laneMark,
} from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import { overGatedDisk } from "./gated-disk.js";
import type { Storage } from "./storage.js";

type ChangeLog = (changes: LaneChanges, store: DeliveryStore) => Partial<LaneChanges>;

/** A store with a changed log of changes. */
function withChanges(change: ChangeLog): (store: DeliveryStore) => DeliveryStore {
  return (store) => {
    const { laneChanges } = store;
    return laneChanges === undefined
      ? store
      : { ...store, laneChanges: { ...laneChanges, ...change(laneChanges, store) } };
  };
}

/** The page of a log in which nothing has changed. */
async function nothingSince(changes: LaneChanges): Promise<ChangedLanes | undefined> {
  return changes.read({ limit: 0 });
}

/** Tells nothing of lanes whose deliveries this method has changed. */
export function silentAbout(method: "commit" | "claim" | "end" | "pullIn"): (store: DeliveryStore) => DeliveryStore {
  return ({ laneChanges, ...store }) => {
    if (laneChanges === undefined) return store;
    let isSilent = false;
    const silently = async (...args: readonly unknown[]): Promise<unknown> => {
      const result = await (store[method] as (...given: readonly unknown[]) => Promise<unknown>)(...args);
      isSilent = true;
      return result;
    };
    const readSilently: LaneChanges["read"] = async (query) => {
      if (query.after !== undefined && isSilent) return nothingSince(laneChanges);
      isSilent = false;
      return laneChanges.read(query);
    };
    return { ...store, [method]: silently, laneChanges: { read: readSilently } };
  };
}

/** Compares the number of deliveries, their bytes and the due time of a lane to know if a commit has changed it. */
export function silentAboutFirstAttempts(store: DeliveryStore): DeliveryStore {
  const silentLanes = new Set<DestinationId>();
  const rowsAt = async (now: EpochMs): Promise<ReadonlyMap<DestinationId, string>> => {
    const { lanes } = await store.lanes({ limit: 100_000 }, now);
    return new Map(lanes.map(({ firstAttemptAt: _, ...row }) => [row.lane, JSON.stringify(row)]));
  };
  return {
    ...withChanges((changes) => ({
      read: async (query) => {
        const page = await changes.read(query);
        return page && { ...page, lanes: page.lanes.filter(({ lane }) => !silentLanes.has(lane)) };
      },
    }))(store),
    commit: async (changes, now) => {
      const before = await rowsAt(now);
      const committed = await store.commit(changes, now);
      for (const [lane, row] of await rowsAt(now)) {
        if (before.get(lane) === row) silentLanes.add(lane);
        else silentLanes.delete(lane);
      }
      return committed;
    },
  };
}

/** Tells nothing of what a purge has removed. */
export function silentAboutPurges(store: DeliveryStore): DeliveryStore {
  const { deletions, laneChanges } = store;
  if (deletions === undefined || laneChanges === undefined) return store;
  let isSilent = false;
  return {
    ...store,
    deletions: {
      ...deletions,
      purge: async (slice, now) => {
        isSilent = true;
        return deletions.purge(slice, now);
      },
    },
    laneChanges: { read: (query) => (isSilent ? nothingSince(laneChanges) : laneChanges.read(query)) },
  };
}

/** Says of a lane without deliveries nothing at all. */
export const silentAboutEmptied = withChanges((changes) => ({
  read: async (query) => {
    const page = await changes.read(query);
    return page === undefined ? undefined : { ...page, emptied: [] };
  },
}));

/** Begins from the start each time. */
export const tellingAllAgain = withChanges((changes) => ({
  read: async ({ after, limit }) => changes.read(after === undefined ? { limit } : { after: laneMark("0"), limit }),
}));

/** Goes on behind the lanes that a page has left out. */
export const skippingTheRest = withChanges((changes) => ({
  read: async (query) => {
    const [page, last] = [await changes.read(query), await nothingSince(changes)];
    return page === undefined || last === undefined ? undefined : { ...page, mark: last.mark };
  },
}));

/** Takes a mark that it does not know for the present. */
export const trustingMarks = withChanges((changes) => ({
  read: async (query) => (await changes.read(query)) ?? nothingSince(changes),
}));

/** Tells the changes before a mark to those who have none. */
export const tellingOldChanges = withChanges((changes) => ({
  read: ({ after = laneMark("0"), limit }) => changes.read({ after, limit }),
}));

/** Has forgotten after a restart what has changed, and does not say so. */
export function forgettingChanges(): Storage {
  const disk = createMemoryDisk();
  return {
    open: async () => {
      const store = createMemoryStore({ disk });
      const since = await store.laneChanges?.read({ limit: 0 });
      const isOld = (mark: string): boolean => Number(mark) < Number(since?.mark);
      return withChanges((changes) => ({
        read: (query) =>
          query.after !== undefined && isOld(query.after) ? nothingSince(changes) : changes.read(query),
      }))(store);
    },
  };
}

/** Says that nothing has changed if it cannot read. */
export const changingNothing: () => Storage = () =>
  overGatedDisk(({ store: { laneChanges }, access }) =>
    laneChanges === undefined
      ? {}
      : {
          laneChanges: {
            read: (query) => access(() => laneChanges.read(query)).catch(() => nothingSince(laneChanges)),
          },
        },
  );

/** Reads the mark in a second access, after the changes before it. */
export const markingLate: () => Storage = () =>
  overGatedDisk(({ store: { laneChanges }, access }) =>
    laneChanges === undefined
      ? {}
      : {
          laneChanges: {
            read: async (query) => {
              const page = await access(() => laneChanges.read(query));
              const last = await access(() => nothingSince(laneChanges));
              if (page === undefined || last === undefined) return undefined;
              return page.more ? page : { ...page, mark: last.mark };
            },
          },
        },
  );
