// Stores that hold less than a relay may give them, and stores that know less than all members of a closed list.

import { createHash } from "node:crypto";
import {
  type AttemptRecord,
  type Changes,
  type ClaimRequest,
  type DeliveryStore,
  type EpochMs,
  plusMs,
  type Replay,
  type Settlement,
} from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import { withDeletions } from "./deletions.js";
import { changingFields } from "./edges.js";
import type { Storage } from "./storage.js";

/** Changes what is accepted in each commit. */
export function accepting(change: (message: Changes["accept"][number]) => Changes["accept"][number]) {
  return (store: DeliveryStore): DeliveryStore => ({
    ...store,
    commit: (changes, now) => store.commit({ ...changes, accept: changes.accept.map(change) }, now),
  });
}

/** Changes each late attempt. */
export function appending(change: (attempt: AttemptRecord) => AttemptRecord) {
  return (store: DeliveryStore): DeliveryStore => ({
    ...store,
    commit: (changes, now) => {
      const append = changes.append.map(({ id, attempt }) => ({ id, attempt: change(attempt) }));
      return store.commit({ ...changes, append }, now);
    },
  });
}

/** Keeps the detail that a delivery had before, if it dies with an empty one. */
export function keepingDetails(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    commit: (changes, now) => {
      const settle = changes.settle.map(({ outcome, ...settlement }): Settlement => {
        const isEmpty = outcome.kind === "dead" && outcome.detail === "";
        return { ...settlement, outcome: isEmpty ? { kind: "dead", reason: outcome.reason } : outcome };
      });
      return store.commit({ ...changes, settle }, now);
    },
  };
}

/** Has replays that are due later than it can hold due at its last instant. */
export function replayingBefore(end: EpochMs): (store: DeliveryStore) => DeliveryStore {
  return (store) => ({
    ...store,
    commit: (changes, now) => {
      const replay = changes.replay.map(({ start, ...replay }): Replay => {
        const isTooLate = start.kind === "waiting" && start.dueAt >= end;
        return { ...replay, start: isTooLate ? { kind: "waiting", dueAt: plusMs(end, -1) } : start };
      });
      return store.commit({ ...changes, replay }, now);
    },
  });
}

/** Remembers at most `maxMessageIds` message ids. */
export function rememberingIds(maxMessageIds: number): Storage {
  const disk = createMemoryDisk();
  return { open: () => Promise.resolve(createMemoryStore({ disk, shared: true, bounds: { maxMessageIds } })) };
}

/** The last bits of the hash of a text, as a text. */
export function hashOf(text: string, bits: number): string {
  const digest = createHash("sha256").update(text).digest();
  return String(digest.readUInt32BE() % 2 ** bits);
}

/** Changes each claim. */
export function claiming(change: (request: ClaimRequest) => ClaimRequest) {
  return (store: DeliveryStore): DeliveryStore => ({
    ...store,
    claim: (request, now) => store.claim(change(request), now),
  });
}

/** Stores a changed number or text in these fields of a commit. */
export function storing<T extends string | number>(fields: readonly string[], change: (value: T) => T) {
  return (store: DeliveryStore): DeliveryStore => ({
    ...store,
    commit: (changes, now) => changingFields(store, fields, change).commit(changes, now),
  });
}

/** Cuts the excerpts of endpoints. */
export function cuttingExcerpts(bytes: number): (store: DeliveryStore) => DeliveryStore {
  return (store) => ({
    ...store,
    commit: (changes, now) => {
      const settle = changes.settle.map((settlement) => {
        const endpoints = settlement.endpoints.map(({ excerpt, ...state }) =>
          excerpt === undefined ? state : { ...state, excerpt: excerpt.slice(0, bytes) },
        );
        return { ...settlement, endpoints };
      });
      return store.commit({ ...changes, settle }, now);
    },
  });
}

/** Gives the default page if it is asked for none. */
export function pagingByDefault(store: DeliveryStore): DeliveryStore {
  return { ...store, list: (query) => store.list({ ...query, limit: query.limit || 50 }) };
}

/** Keeps the first users of a request. */
export function keepingUsers(count: number): (store: DeliveryStore) => DeliveryStore {
  return withDeletions((deletions) => ({
    open: (deletion, now) => deletions.open({ ...deletion, userIds: deletion.userIds.slice(0, count) }, now),
  }));
}

/** Takes a request without a source for one of all sources. */
export const takingNoneForAll = withDeletions((deletions) => ({
  open: (deletion, now) =>
    deletions.open(deletion.sources?.length === 0 ? { ...deletion, sources: null } : deletion, now),
}));

/** Stores one regulation as another, which does nearly the same. */
export const mixingRegulations = withDeletions((deletions) => ({
  open: (deletion, now) => {
    const isMixed = deletion.regulation === "suppress-only";
    return deletions.open(isMixed ? { ...deletion, regulation: "suppress-with-delete" } : deletion, now);
  },
}));

/** Ends a purge when a slice has found nothing. */
export const endingEmptySlices = withDeletions((deletions) => ({
  purge: async (slice, now) => {
    if (slice.limit === 0) await deletions.purge({ ...slice, limit: 1_000_000 }, now);
    return deletions.purge(slice, now);
  },
}));

/** Filters by a flag whenever it is there. */
export function filteringByPresence(store: DeliveryStore): DeliveryStore {
  return { ...store, list: (query) => store.list("notReplayed" in query ? { ...query, notReplayed: true } : query) };
}
