// Stores that mistake a clock that was set back, that change bytes of some classes, or that throw.

import type { DeliveryStore, EpochMs } from "@postrider/core";

/** Does not let time go back: an earlier `now` counts as the latest one. */
export function holdingTime(last: { now: number }): (store: DeliveryStore) => DeliveryStore {
  const latest = (now: EpochMs): EpochMs => {
    last.now = Math.max(last.now, now);
    return last.now as EpochMs;
  };
  return (store) => ({
    ...store,
    commit: (changes, now) => store.commit(changes, latest(now)),
    claim: (request, now) => store.claim(request, latest(now)),
    end: (request, now) => store.end(request, latest(now)),
  });
}

/** Remembers message ids from an instant on, as of the `now` that it was given last. */
export function rememberingFrom(first: Map<string, number>): (store: DeliveryStore) => DeliveryStore {
  return (store) => ({
    ...store,
    commit: (changes, now) => {
      const accept = changes.accept.map((message) => {
        const key = `${String(message.source.length)}:${message.source}${message.messageId}`;
        const since = first.get(key) ?? now;
        first.set(key, since);
        // An id of the future is taken for one that was never seen: another is stored under its name.
        return since > now ? { ...message, messageId: `${message.messageId} again` } : message;
      });
      return store.commit({ ...changes, accept }, now);
    },
  });
}

/** Lists by the time of acceptance. */
export function listingByTime(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    list: async (query) => {
      const page = await store.list(query);
      return { ...page, deliveries: page.deliveries.toSorted((one, other) => other.acceptedAt - one.acceptedAt) };
    },
  };
}

/** Writes bodies as JSON, in which a class may say how it is written. */
export function writingAsJson(store: DeliveryStore): DeliveryStore {
  return changingBodies(store, (body) =>
    "toJSON" in body ? (new TextEncoder().encode(JSON.stringify(body)) as Uint8Array as typeof body) : body,
  );
}

/** Stores the buffer in which a body lies. */
export function storingBuffers(store: DeliveryStore): DeliveryStore {
  return changingBodies(store, (body) => new Uint8Array(body.buffer) as typeof body);
}

type Bytes = Parameters<DeliveryStore["commit"]>[0]["accept"][number]["body"];

function changingBodies(store: DeliveryStore, change: (body: Bytes) => Bytes): DeliveryStore {
  return {
    ...store,
    commit: (changes, now) => {
      const accept = changes.accept.map((message) => ({ ...message, body: change(message.body) }));
      return store.commit({ ...changes, accept }, now);
    },
  };
}

/** Throws at once when it is closed. */
export function throwingOnceClosed(store: DeliveryStore): DeliveryStore {
  let isOpen = true;
  return {
    ...store,
    claim: (request, now) => {
      if (!isOpen) throw new Error("the connection is closed");
      return store.claim(request, now);
    },
    close: () => {
      isOpen = false;
      return store.close();
    },
  };
}

/** Rejects with the error of its driver when it is closed. */
export function rejectingAsItsDriver(store: DeliveryStore): DeliveryStore {
  return { ...store, counts: () => store.counts().catch(() => Promise.reject(new Error("driver: not connected"))) };
}

/** Answers at once where the answer is in memory. */
export function answeringAtOnce(store: DeliveryStore): DeliveryStore {
  const last: { counts: Awaited<ReturnType<DeliveryStore["counts"]>> } = { counts: [] };
  return {
    ...store,
    counts: () => {
      void store.counts().then(
        (counts) => (last.counts = counts),
        () => undefined,
      );
      return last.counts as unknown as ReturnType<DeliveryStore["counts"]>;
    },
  };
}

/** Looks at 100 deliveries for each page of a list. */
export function lookingBriefly(looked: number): (store: DeliveryStore) => DeliveryStore {
  return (store) => ({
    ...store,
    list: async (query) => {
      const position = query.after === undefined ? {} : { after: query.after };
      const scanned = await store.list({ ...position, limit: looked });
      const full = await store.list(query);
      const ids = new Set(scanned.deliveries.map(({ id }) => id));
      const visible = full.deliveries.filter(({ id }) => ids.has(id));
      if (visible.length === query.limit) return full;
      return { deliveries: visible, ...(scanned.next === undefined ? {} : { next: scanned.next }) };
    },
  });
}
