// Stores that list the wrong deliveries.

import type { DeliveryPage, DeliveryStore, DeliverySummary, ListQuery } from "@postrider/core";

/** Asks for something else than what was asked. */
function askingFor(change: (query: ListQuery) => ListQuery): (store: DeliveryStore) => DeliveryStore {
  return (store) => ({ ...store, list: (query) => store.list(change(query)) });
}

/** Takes an empty list for no filter. */
export const listingAllForNone = askingFor(({ states, details, ...query }) => ({
  ...query,
  ...(states !== undefined && states.length > 0 && { states }),
  ...(details !== undefined && details.length > 0 && { details }),
}));

/** Looks at the first state only. */
export const listingOneState = askingFor(({ states, ...query }) => ({
  ...query,
  ...(states !== undefined && { states: states.slice(0, 1) }),
}));

/** Compares details by their beginnings, as LIKE with a wildcard does. */
export function listingByBeginnings(store: DeliveryStore): DeliveryStore {
  return filteringItself(store, "details", ({ detail = "" }, { details = [] }) =>
    details.some((asked) => detail.startsWith(asked)),
  );
}

/** Does not know users. */
export const listingAllUsers = askingFor(({ userId: _left, ...query }) => query);

/** Knows the first user of a message only. */
export function listingFirstUsers(users: Map<string, string | undefined>): (store: DeliveryStore) => DeliveryStore {
  return (store) => {
    const noting: DeliveryStore = {
      ...store,
      commit: (changes, now) => {
        for (const { source, messageId, userIds } of changes.accept)
          users.set(JSON.stringify([source, messageId]), userIds?.[0]);
        return store.commit(changes, now);
      },
    };
    return filteringItself(
      noting,
      "userId",
      ({ source, messageId }, { userId }) => users.get(JSON.stringify([source, messageId])) === userId,
    );
  };
}

type Fits = (delivery: DeliverySummary, query: ListQuery) => boolean;

/** A store that reads all pages without a filter, and then filters by itself. */
function filteringItself(store: DeliveryStore, filter: "details" | "userId", fits: Fits): DeliveryStore {
  return {
    ...store,
    list: async (query): Promise<DeliveryPage> => {
      if (query[filter] === undefined) return store.list(query);
      const otherFilters = Object.entries({ ...query, limit: 100_000 }).filter(([name]) => name !== filter);
      const { deliveries } = await store.list(Object.fromEntries(otherFilters) as unknown as ListQuery);
      return { deliveries: deliveries.filter((delivery) => fits(delivery, query)).slice(0, query.limit) };
    },
  };
}
