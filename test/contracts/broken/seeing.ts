// Stores that say something else of a message id than what they remember.

import type { DeliveryStore, EpochMs } from "@postrider/core";

/** Looks for a delivery, of which a message that was filtered everywhere has none. */
export function seeingDeliveries(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    seen: async (query, now) => (await store.seen(query, now)).filter(({ deliveries }) => deliveries !== 0),
  };
}

/** Counts the deliveries that there are now: replays too, and none that were swept. */
export function countingWhatIsLeft(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    seen: async (query, now) => {
      const seen = await store.seen(query, now);
      const lists = seen.map(({ source }) => store.list({ messageId: query.messageId, source, limit: 100 }));
      const left = (await Promise.all(lists)).map(({ deliveries }) => deliveries.length);
      return seen.map((message, index) => ({ ...message, deliveries: left[index] ?? 0 }));
    },
  };
}

/** Forgets to ask how long ago it was. */
export function seeingForEver(store: DeliveryStore): DeliveryStore {
  return { ...store, seen: (query) => store.seen(query, 0 as EpochMs) };
}

/** Knows an id and not whose it is. */
export function seeingAllSources(store: DeliveryStore): DeliveryStore {
  return { ...store, seen: ({ messageId }, now) => store.seen({ messageId }, now) };
}
