// Stores whose counters differ from the deliveries.

import type { DeliveryStore } from "@postrider/core";

export interface Drift {
  /** By how much the counters of each source are wrong. */
  readonly byClaims: Map<string, number>;
  readonly held: Set<string>;
}

/** Counts each claim as one of a waiting delivery, also if its lease had ended. */
export function driftingCounters({ byClaims, held }: Drift): (store: DeliveryStore) => DeliveryStore {
  return (store) => ({
    ...store,
    commit: async (changes, now) => {
      const committed = await store.commit(changes, now);
      for (const [index, { id }] of changes.settle.entries())
        if (committed.settled[index] === "settled") held.delete(id);
      return committed;
    },
    claim: async (request, now) => {
      const claimed = await store.claim(request, now);
      for (const { id, source } of claimed.deliveries) {
        if (held.has(id)) byClaims.set(source, (byClaims.get(source) ?? 0) + 1);
        held.add(id);
      }
      return claimed;
    },
    counts: async () => {
      const rows = await store.counts();
      return rows.map((row) => {
        const drift = byClaims.get(row.source) ?? 0;
        return { ...row, waiting: row.waiting - drift, claimed: row.claimed + drift };
      });
    },
  });
}

/** Counts each delivery that was brought forward as waiting, whatever its state. */
export function countingPulls(drift: { pulled: number }): (store: DeliveryStore) => DeliveryStore {
  return (store) => ({
    ...store,
    pullIn: async (request, now) => {
      const pulled = await store.pullIn(request, now);
      drift.pulled += pulled;
      return pulled;
    },
    counts: async () => {
      const rows = await store.counts();
      return rows.map((row) => {
        const off = Math.min(drift.pulled, row.claimed);
        return { ...row, waiting: row.waiting + off, claimed: row.claimed - off };
      });
    },
  });
}

/** Counts duplicates as received. */
export function receivingRepeats(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    counts: async () => (await store.counts()).map((row) => ({ ...row, received: row.received + row.duplicates })),
  };
}
