// Stores with a clock that judge something by another one.

import { type Clock, type DeletionStore, type DeliveryStore, epochMs, type LeaseToken } from "@postrider/core";
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

export const settlingByCallers: () => Storage = overClock(({ store, callers }) => ({
  commit: (changes, now) => (changes.settle.length > 0 ? callers : store).commit(changes, now),
}));

export const replayingByCallers: () => Storage = overClock(({ store, callers }) => ({
  commit: (changes, now) => (changes.replay.length > 0 ? callers : store).commit(changes, now),
}));

/** Ends nothing that is under a lease by its clock, and gives what it ends the time of its caller. */
export const endedByCallers: () => Storage = overClock(({ store, callers, clock }) => ({
  end: async (request, now) => {
    const { nextDueAt } = await store.claim(
      { token: "looks" as LeaseToken, leaseMs: 0, lanes: [{ lane: request.lane, limit: 0 }] },
      now,
    );
    return (nextDueAt.get(request.lane) ?? 0) > clock.wall() ? store.end(request, now) : callers.end(request, now);
  },
}));

function withDeletionsByCallers(choose: (deletions: DeletionStore) => Partial<DeletionStore>): () => Storage {
  return overClock(({ store: { deletions }, callers }) => {
    if (deletions === undefined || callers.deletions === undefined) return {};
    return { deletions: { ...deletions, ...choose(callers.deletions) } };
  });
}

export const requestedByCallers: () => Storage = withDeletionsByCallers((callers) => ({
  open: (deletion, now) => callers.open(deletion, now),
}));
export const purgedByCallers: () => Storage = withDeletionsByCallers((callers) => ({
  purge: (slice, now) => callers.purge(slice, now),
}));
export const finishedByCallers: () => Storage = withDeletionsByCallers((callers) => ({
  finish: (id, now) => callers.finish(id, now),
}));
