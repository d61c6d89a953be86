// Stores that keep wrongly when an endpoint refused a delivery.

import type { DeliveryStore, EndpointState, Settlement } from "@postrider/core";

type Change = (state: EndpointState, settlement: Settlement) => EndpointState;

function withoutRefusal({ refusedAt: _, ...state }: EndpointState): EndpointState {
  return state;
}

/** Stores other endpoints than those of the settlement. */
function storing(store: DeliveryStore, change: Change): DeliveryStore {
  return {
    ...store,
    commit: (changes, now) => {
      const settle = changes.settle.map((settlement) => ({
        ...settlement,
        endpoints: settlement.endpoints.map((state) => change(state, settlement)),
      }));
      return store.commit({ ...changes, settle }, now);
    },
  };
}

export function forgettingRefusals(store: DeliveryStore): DeliveryStore {
  return storing(store, withoutRefusal);
}

export function refusingForGood(store: DeliveryStore): DeliveryStore {
  return storing(store, (state) =>
    state.refusedAt === undefined ? state : { ...withoutRefusal(state), refused: true },
  );
}

/** Keeps the instant if the next state of the endpoint has none. */
export function keepingEndedRefusals(): (store: DeliveryStore) => DeliveryStore {
  const refusalTimes = new Map<string, EndpointState["refusedAt"] & {}>();
  return (store) =>
    storing(store, (state, { id }) => {
      const key = `${id} ${state.endpoint}`;
      const refusedAt = state.refusedAt ?? refusalTimes.get(key);
      if (refusedAt === undefined) return state;
      refusalTimes.set(key, refusedAt);
      return { ...state, refusedAt };
    });
}

/** Reads it for those who look a delivery up, and not for a claim. */
export function forgettingOnceClaimed(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    claim: async (request, now) => {
      const claimed = await store.claim(request, now);
      const deliveries = claimed.deliveries.map((one) => ({ ...one, endpoints: one.endpoints.map(withoutRefusal) }));
      return { ...claimed, deliveries };
    },
  };
}

/** Keeps it in the memory of the process. */
export function refusingInMemory(store: DeliveryStore): DeliveryStore {
  const refusalTimes = new Map<string, EndpointState["refusedAt"]>();
  const keyOf = (id: string, { endpoint }: EndpointState): string => `${id} ${endpoint}`;
  const whole = <Delivery extends { readonly id: string; readonly endpoints: readonly EndpointState[] }>(
    delivery: Delivery,
  ): Delivery => ({
    ...delivery,
    endpoints: delivery.endpoints.map((state) => {
      const refusedAt = refusalTimes.get(keyOf(delivery.id, state));
      return refusedAt === undefined ? state : { ...state, refusedAt };
    }),
  });
  return {
    ...storing(store, (state, { id }) => {
      refusalTimes.set(keyOf(id, state), state.refusedAt);
      return withoutRefusal(state);
    }),
    claim: async (request, now) => {
      const claimed = await store.claim(request, now);
      return { ...claimed, deliveries: claimed.deliveries.map(whole) };
    },
    find: async (id) => {
      const record = await store.find(id);
      return record === undefined ? undefined : whole(record);
    },
  };
}

/** Removes it with the excerpts when the body of a delivery is gone. */
export function forgettingOncePurged(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    find: async (id) => {
      const record = await store.find(id);
      if (record === undefined || record.body !== undefined) return record;
      return { ...record, endpoints: record.endpoints.map(withoutRefusal) };
    },
  };
}

/** Removes it with the excerpts when a delivery is settled whose body is gone. */
export function forgettingAfterPurges(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    commit: async (changes, now) => {
      const settle: Settlement[] = [];
      for (const settlement of changes.settle) {
        const record = await store.find(settlement.id);
        const isGone = record !== undefined && record.body === undefined;
        settle.push(isGone ? { ...settlement, endpoints: settlement.endpoints.map(withoutRefusal) } : settlement);
      }
      return store.commit({ ...changes, settle }, now);
    },
  };
}
