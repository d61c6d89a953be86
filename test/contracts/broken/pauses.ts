// Stores that keep the pauses of operators wrongly.

import { type DeliveryStore, type DestinationId, epochMs, type LanePause, type PauseStore } from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import { behindGate, overGatedDisk } from "./gated-disk.js";
import type { Storage } from "./storage.js";

type ChangePauses = (pauses: PauseStore) => Partial<PauseStore>;

/** A store with changed pauses. */
function withPauses(change: ChangePauses): (store: DeliveryStore) => DeliveryStore {
  return ({ pauses, ...store }) =>
    pauses === undefined ? store : { ...store, pauses: { ...pauses, ...change(pauses) } };
}

/** Keeps the pauses in the memory of the process. */
export function pausingInMemory(store: DeliveryStore): DeliveryStore {
  const { pauses } = createMemoryStore({ disk: createMemoryDisk() });
  return pauses === undefined ? store : { ...store, pauses };
}

/** Writes the instant anew when a lane is paused again. */
export const pausingAnew = withPauses((pauses) => ({
  add: async (lane, now) => {
    await pauses.remove(lane);
    await pauses.add(lane, now);
  },
}));

/** Takes lanes that differ only in case for one. */
export const foldingPausedLanes = withPauses((pauses) => ({
  add: (lane, now) => pauses.add(lane.toLowerCase() as DestinationId, now),
  remove: (lane) => pauses.remove(lane.toLowerCase() as DestinationId),
}));

/** Finds its place in the list by the lane before, and starts over if that is not paused any more. */
export const startingOver = withPauses((pauses) => ({
  list: async ({ after, limit }) => {
    const all = await pauses.list({ limit: 100_000 });
    return all.slice(all.findIndex(({ lane }) => lane === after) + 1).slice(0, limit);
  },
}));

/** Begins a page with the lane before. */
export const repeatingTheLast = withPauses((pauses) => ({
  list: async ({ after, limit }) => {
    const all = await pauses.list({ limit: 100_000 });
    return all.filter(({ lane }) => after === undefined || lane >= after).slice(0, limit);
  },
}));

/** Keeps instants as seconds. */
export const pausingBySeconds = withPauses((pauses) => ({
  add: (lane, now) => pauses.add(lane, epochMs(Math.floor(now / 1_000) * 1_000)),
}));

/** Hands out nothing of a paused lane. */
export function holdingPausedLanes(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    claim: async (request, now) => {
      const paused = new Set((await pausesIn(store)).map(({ lane }) => lane));
      return store.claim({ ...request, lanes: request.lanes.filter(({ lane }) => !paused.has(lane)) }, now);
    },
  };
}

async function pausesIn({ pauses }: DeliveryStore): Promise<readonly LanePause[]> {
  return (await pauses?.list({ limit: 100_000 })) ?? [];
}

/** Says that no lane is paused when its list cannot be read. */
export function readingNoPauses(): Storage {
  return overGatedPauses((pauses) => ({ list: (query) => pauses.list(query).catch(() => []) }));
}

/** Looks at the list after it has ended a pause, and is `busy` if it cannot. */
export function busyAfterResuming(): Storage {
  return overGatedPauses((pauses) => ({
    remove: async (lane) => {
      await pauses.remove(lane);
      await pauses.list({ limit: 1 });
    },
  }));
}

function overGatedPauses(change: ChangePauses): Storage {
  return overGatedDisk(({ store, access }) => {
    const { pauses } = behindGate(store, access);
    if (pauses === undefined) throw new Error("a memory store has pauses");
    return { pauses: { ...pauses, ...change(pauses) } };
  });
}
