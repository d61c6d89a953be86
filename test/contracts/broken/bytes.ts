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
      const found = await store.find(id);
      const body = found === undefined ? undefined : bodies.get(key(found));
      return found === undefined || body === undefined ? found : { ...found, body };
    },
  });
}

export function throughText<T extends Uint8Array>(bytes: T): T {
  return new TextEncoder().encode(new TextDecoder().decode(bytes)) as Uint8Array as T;
}
