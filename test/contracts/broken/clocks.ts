// Stores with a clock that judge something by another one.

import { type Clock, type DeliveryStore, epochMs } from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import type { Storage } from "./storage.js";

/** A store with a clock, and one on the same disk that takes the time of its callers. */
interface Clocked {
  readonly store: DeliveryStore;
  readonly callers: DeliveryStore;
  readonly clock: Clock;
}

function overClock(change: (stores: Clocked) => Partial<DeliveryStore>): () => Storage {
  return () => {
    const disk = createMemoryDisk();
    return {
      open: () => Promise.resolve(createMemoryStore({ disk, shared: true })),
      openAt: (clock) => {
        const [store, callers] = [
          createMemoryStore({ disk, clock, shared: true }),
          createMemoryStore({ disk, shared: true }),
        ];
        return Promise.resolve({ ...store, ...change({ store, callers, clock }) });
      },
    };
  };
}

/** Tells the time at which it was opened. */
export const standingStill: () => Storage = overClock(({ clock }) => {
  const openedAt = clock.wall();
  return { clock: { wall: () => Promise.resolve(openedAt) } };
});

export const committingByCallers: () => Storage = overClock(({ callers }) => ({
  commit: (changes, now) => callers.commit(changes, now),
}));

export const claimingByCallers: () => Storage = overClock(({ callers }) => ({
  claim: (request, now) => callers.claim(request, now),
}));

/** Takes what is due by the later of the two times. */
export const dueByEither: () => Storage = overClock(({ store, callers, clock }) => ({
  claim: async (request, now) => {
    const result = await store.claim(request, now);
    const time = epochMs(Math.max(now, clock.wall()));
    return result.deliveries.length > 0 ? result : callers.claim(request, time);
  },
}));

export const seeingByCallers: () => Storage = overClock(({ callers }) => ({
  seen: (query, now) => callers.seen(query, now),
}));

export const endingByCallers: () => Storage = overClock(({ callers }) => ({
  end: (request, now) => callers.end(request, now),
}));

export const beatingByCallers: () => Storage = overClock(({ callers: { board } }) => (board ? { board } : {}));
