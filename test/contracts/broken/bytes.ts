// Stores that change bytes.

import type { ClaimedDelivery, DeliveryStore } from "@postrider/core";

export function aliasingBodies(bodies: Map<string, ClaimedDelivery["body"]>): (store: DeliveryStore) => DeliveryStore {
  const key = (of: { readonly source: string; readonly messageId: string }): string => `${of.source} ${of.messageId}`;
  return (store) => ({
    ...store,
    commit: async (changes, now) => {
      const committed = await store.commit(changes, now);
      for (const [index, message] of changes.accept.entries()) {
        if (committed.accepted[index]?.kind === "stored") bodies.set(key(message), message.body);
      }
      return committed;
    },
    claim: async (request, now) => {
      const claimed = await store.claim(request, now);
      const deliveries = claimed.deliveries.map((one) => ({ ...one, body: bodies.get(key(one)) ?? one.body }));
      return { ...claimed, deliveries };
    },
    find: async (id) => {
      const record = await store.find(id);
      const body = record === undefined ? undefined : bodies.get(key(record));
      return record === undefined || body === undefined ? record : { ...record, body };
    },
  });
}

export function throughText<T extends Uint8Array>(bytes: T): T {
  return new TextEncoder().encode(new TextDecoder().decode(bytes)) as Uint8Array as T;
}

/** Takes a Buffer for its own, and copies all other bytes. */
export function keepingBuffers(bodies: Map<string, ClaimedDelivery["body"]>): (store: DeliveryStore) => DeliveryStore {
  return (store) => {
    const aliased = aliasingBodies(bodies)(store);
    const isOfBuffers = (accept: Parameters<DeliveryStore["commit"]>[0]["accept"]): boolean =>
      accept.some(({ body }) => Buffer.isBuffer(body));
    return {
      ...aliased,
      commit: (changes, now) => (isOfBuffers(changes.accept) ? aliased : store).commit(changes, now),
    };
  };
}
