// Stores that answer wrongly for a message id.

import type { DeliveryStore, EpochMs } from "@postrider/core";

/** Looks for a delivery; a message that was filtered everywhere has none. */
export function seeingDeliveries(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    seen: async (query, now) => (await store.seen(query, now)).filter(({ deliveries }) => deliveries !== 0),
  };
}

/** Counts the current deliveries: replays too, and no swept ones. */
export function countingWhatIsLeft(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    seen: async (query, now) => {
      const messages = await store.seen(query, now);
      const lists = messages.map(({ source }) => store.list({ messageId: query.messageId, source, limit: 100 }));
      const counts = (await Promise.all(lists)).map(({ deliveries }) => deliveries.length);
      return messages.map((message, index) => ({ ...message, deliveries: counts[index] ?? 0 }));
    },
  };
}

/** Ignores the age. */
export function seeingForEver(store: DeliveryStore): DeliveryStore {
  return { ...store, seen: (query) => store.seen(query, 0 as EpochMs) };
}

/** Ignores the source. */
export function seeingAllSources(store: DeliveryStore): DeliveryStore {
  return { ...store, seen: ({ messageId }, now) => store.seen({ messageId }, now) };
}
