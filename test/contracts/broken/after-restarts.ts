// Stores that have lost or changed data after a restart.

import type { Changes, DeliveryId, DeliveryStore, EpochMs } from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import { overOneDisk, type Storage } from "./storage.js";

/** Its log is written with the next commit: the last one before a crash was answered and is lost. */
export function createLaggingStore(): Storage {
  const log: ((store: DeliveryStore) => Promise<unknown>)[] = [];

  const open = async (): Promise<DeliveryStore> => {
    const store = createMemoryStore({ disk: createMemoryDisk() });
    for (const write of log) await write(store);
    let unwritten: typeof log = [];
    const remember = (write: (typeof log)[number]): void => {
      unwritten.push(write);
    };
    return {
      ...store,
      commit: (changes, now) => {
        log.push(...unwritten);
        unwritten = [(again) => again.commit(changes, now)];
        return store.commit(changes, now);
      },
      claim: (request, now) => {
        remember((again) => again.claim(request, now));
        return store.claim(request, now);
      },
      end: (request, now) => {
        remember((again) => again.end(request, now));
        return store.end(request, now);
      },
      sweep: (request, now) => {
        remember((again) => again.sweep(request, now));
        return store.sweep(request, now);
      },
      close: () => {
        log.push(...unwritten);
        unwritten = [];
        return store.close();
      },
    };
  };
  return { open };
}

/** Keeps the seen ids in the memory of the process; each start begins without them. */
export function createForgetfulStore(): Storage {
  let starts = 0;
  return overOneDisk((store) => {
    starts += 1;
    const prefix = `${String(starts)}|`;
    const plain = <T extends { readonly messageId: string }>(of: T): T => ({
      ...of,
      messageId: of.messageId.slice(of.messageId.indexOf("|") + 1),
    });
    return {
      ...store,
      commit: (changes, now) => {
        const accept = changes.accept.map((message) => ({ ...message, messageId: `${prefix}${message.messageId}` }));
        return store.commit({ ...changes, accept }, now);
      },
      claim: async (request, now) => {
        const claimed = await store.claim(request, now);
        return { ...claimed, deliveries: claimed.deliveries.map(plain) };
      },
      find: async (id) => {
        const record = await store.find(id);
        return record === undefined ? undefined : plain(record);
      },
      list: async ({ messageId, ...query }) => {
        const page = await store.list(
          messageId === undefined ? query : { ...query, messageId: `${prefix}${messageId}` },
        );
        return { ...page, deliveries: page.deliveries.map(plain) };
      },
      seen: (query, now) => store.seen({ ...query, messageId: `${prefix}${query.messageId}` }, now),
    };
  });
}

/** Treats handed-off deliveries that were in memory at a crash as delivered. */
export function createTrustingStore(): Storage {
  const hot = new Map<DeliveryId, Changes["lease"] & { readonly at: EpochMs }>();
  const disk = createMemoryDisk();
  const outcome = { kind: "delivered", detail: "200" } as const;
  const open = async (): Promise<DeliveryStore> => {
    const store = createMemoryStore({ disk });
    for (const [id, { at, ...lease }] of hot) {
      const settle = [{ id, token: lease.token, outcome, attempts: [], endpoints: [] }];
      await store.commit({ accept: [], replay: [], settle, append: [], tally: [], lease }, at);
    }
    return {
      ...store,
      commit: async (changes, now) => {
        const committed = await store.commit(changes, now);
        for (const [index, { deliveries }] of changes.accept.entries()) {
          const answer = committed.accepted[index];
          const ids = answer?.kind === "stored" ? answer.deliveries : [];
          const isHot = (_: DeliveryId, place: number): boolean => deliveries[place]?.start.kind === "claimed";
          for (const id of ids.filter(isHot)) hot.set(id, { ...changes.lease, at: now });
        }
        return committed;
      },
    };
  };
  return { open };
}
