// Stores that count the claims which were not settled in time wrongly.

import type { DeliveryRecord, DeliveryStore, Lapses } from "@postrider/core";

/** A store whose records show lapses in another way. */
function showing(change: (lapses: Lapses, record: DeliveryRecord) => Lapses | undefined) {
  return (store: DeliveryStore): DeliveryStore => ({
    ...store,
    find: async (id) => {
      const record = await store.find(id);
      if (record?.lapses === undefined) return record;
      const { lapses, ...rest } = record;
      const changed = change(lapses, record);
      return changed === undefined ? rest : { ...rest, lapses: changed };
    },
  });
}

export const countingOneLapse = showing((lapses) => ({ ...lapses, count: 1 }));

export const tellingTakersOnly = showing(({ takenBy, ...lapses }) => ({
  ...lapses,
  ...(takenBy && { process: takenBy, takenBy }),
}));

export const takingAtTheEnd = showing((lapses) => ({ ...lapses, takenAt: lapses.leaseUntil }));

export const forgettingEnded = showing((lapses) => (lapses.takenBy === undefined ? undefined : lapses));

export const forgettingSettled = showing((lapses, { state }) => (state === "delivered" ? undefined : lapses));

/** Counts each claim after the first, as a number of tries would. */
export function countingClaims(store: DeliveryStore): DeliveryStore {
  const claims = new Map<string, number>();
  const last = new Map<string, Lapses>();
  return {
    ...store,
    claim: async (request, now) => {
      const claimed = await store.claim(request, now);
      for (const { id, dueAt } of claimed.deliveries) {
        const count = claims.get(id) ?? 0;
        const process = request.token.slice(0, 16) as Lapses["process"];
        claims.set(id, count + 1);
        if (count > 0) last.set(id, { count, process, leaseUntil: dueAt, takenAt: now, takenBy: process });
      }
      return claimed;
    },
    find: async (id) => {
      const record = await store.find(id);
      const lapses = record?.lapses ?? last.get(id);
      return record && lapses ? { ...record, lapses } : record;
    },
  };
}
