// Stores that decide by what they still hold, or by what they looked at, instead of by what happened.

import type { DeliveryStore, EpochMs } from "@postrider/core";
import { withDeletions } from "./deletions.js";

const ALL = 100_000;

/** Takes `limit` unfinished deliveries of the lane, the oldest first, and ends those among them that match. */
export function endingAmongTheFirst(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    end: async (request, now) => {
      const { deliveries } = await store.list({ destination: request.lane, limit: ALL });
      const unfinished = deliveries.filter(({ state }) => state === "waiting" || state === "claimed").toReversed();
      const { acceptedBefore = Infinity, limit } = request;
      const young = unfinished.slice(0, limit).filter(({ acceptedAt }) => acceptedAt >= acceptedBefore);
      return store.end({ ...request, limit: limit - young.length }, now);
    },
  };
}

/** The same for deliveries that are brought forward. */
export function pullingAmongTheFirst(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    pullIn: async (request, now) => {
      const { deliveries } = await store.list({ destination: request.lane, limit: ALL });
      const unfinished = deliveries.filter(({ dueAt }) => dueAt !== undefined).toReversed();
      const soon = unfinished.slice(0, request.limit).filter(({ dueAt = 0 }) => dueAt <= request.dueAfter);
      return store.pullIn({ ...request, limit: request.limit - soon.length }, now);
    },
  };
}

/** Takes a delivery for replayed while a replay of it is stored. */
export function lookingForReplays(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    list: async (query) => {
      if (query.notReplayed !== true) return store.list(query);
      const deliveries = (await store.list({ limit: ALL })).deliveries;
      const replayed = new Set(deliveries.map(({ replayOf }) => replayOf));
      const page = await store.list({ ...query, notReplayed: false, limit: ALL });
      return { deliveries: page.deliveries.filter(({ id }) => !replayed.has(id)).slice(0, query.limit) };
    },
  };
}

/** Needs as many requests to end a suppression as began it. */
export function countingSuppressions(counts: Map<string, number>): (store: DeliveryStore) => DeliveryStore {
  return withDeletions((deletions) => ({
    open: async (deletion, now) => {
      if ((await deletions.find(deletion.id)) !== undefined) return;
      const step = deletion.regulation.startsWith("suppress") ? 1 : -1;
      if (deletion.regulation !== "delete-only")
        for (const user of deletion.userIds) counts.set(user, Math.max(0, (counts.get(user) ?? 0) + step));
      const ended = deletion.userIds.filter((user) => (counts.get(user) ?? 0) === 0);
      await deletions.open(deletion.regulation === "unsuppress" ? { ...deletion, userIds: ended } : deletion, now);
    },
  }));
}

/** Compares messages with the unfinished requests only. */
export function outdatedByUnfinished(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    commit: async (changes, now) => {
      const newest = async (unfinished: boolean): Promise<number> =>
        (await store.deletions?.list({ unfinished, limit: 1 }))?.deletions[0]?.number ?? 0;
      const [last, open] = [await newest(false), await newest(true)];
      const accept = changes.accept.map(({ asOf, ...message }) =>
        asOf === undefined ? message : { ...message, asOf: asOf >= open ? last : asOf },
      );
      return store.commit({ ...changes, accept }, now);
    },
  };
}

/** Claims by the latest `now` of its claims. */
export function claimingByTheLatest(latest = { now: 0 }): (store: DeliveryStore) => DeliveryStore {
  return (store) => ({
    ...store,
    claim: (request, now) => {
      latest.now = Math.max(latest.now, now);
      return store.claim(request, latest.now as EpochMs);
    },
  });
}
