// Stores that break a promise about deleted or suppressed users.

import type { Changes, CommitResult, DeletionStore, DeliveryStore, EndpointState, EpochMs } from "@postrider/core";

/** A store with changed deletions. */
export function withDeletions(change: (deletions: DeletionStore) => Partial<DeletionStore>) {
  return (store: DeliveryStore): DeliveryStore =>
    store.deletions === undefined ? store : { ...store, deletions: { ...store.deletions, ...change(store.deletions) } };
}

/** Remembers the ids of suppressed messages, as of all others. */
export function rememberingSuppressed(seen: Set<string>): (store: DeliveryStore) => DeliveryStore {
  return (store) => ({
    ...store,
    commit: async (changes, now) => {
      const committed = await store.commit(changes, now);
      const accepted = committed.accepted.map((answer, index) => {
        const { source, messageId } = changes.accept[index] ?? {};
        const key = JSON.stringify([source, messageId]);
        if (seen.has(key)) return { kind: "duplicate" } as const;
        if (answer.kind === "suppressed") seen.add(key);
        return answer;
      });
      return { ...committed, accepted };
    },
  });
}

/** Stores the progress of notices as it is given, whatever the number of users is. */
export function countingBeyondUsers(store: DeliveryStore): DeliveryStore {
  const progress = new Map<string, number>();
  const watched = withDeletions((deletions) => ({
    find: async (id) => {
      const record = await deletions.find(id);
      return record && { ...record, notified: Math.max(record.notified, progress.get(id) ?? 0) };
    },
  }))(store);
  return {
    ...watched,
    commit: async (changes, now) => {
      for (const { deletion, users } of changes.notified ?? [])
        progress.set(deletion, Math.max(users, progress.get(deletion) ?? 0));
      return store.commit(changes, now);
    },
  };
}

/** Keeps the list of suppressed users in the memory of the process. */
export function suppressingInMemory(store: DeliveryStore): DeliveryStore {
  const suppressed = new Set<string>();
  const isBlocked = ({ userIds = [] }: Changes["accept"][number]): boolean => userIds.some((id) => suppressed.has(id));
  const guarded = withDeletions((deletions) => ({
    open: (deletion, now): Promise<void> => {
      for (const userId of deletion.userIds) {
        if (deletion.regulation.startsWith("suppress")) suppressed.add(userId);
        if (deletion.regulation === "unsuppress") suppressed.delete(userId);
      }
      return deletions.open({ ...deletion, regulation: "delete-only" }, now);
    },
  }))(store);
  return {
    ...guarded,
    commit: async (changes, now) => {
      const blocked = changes.accept.filter(isBlocked);
      const tally = blocked.map(({ source }) => ({ source, refused: 0, suppressed: 1, shed: 0 }));
      const accept = changes.accept.filter((message) => !isBlocked(message));
      const committed = await store.commit({ ...changes, accept, tally: [...changes.tally, ...tally] }, now);
      const answers = [...committed.accepted];
      const accepted = changes.accept.map((message): CommitResult["accepted"][number] =>
        isBlocked(message) ? { kind: "suppressed" } : (answers.shift() ?? { kind: "duplicate" }),
      );
      return { ...committed, accepted };
    },
  };
}

/** Stores a request only when it is purged. */
export const openingLate = withDeletions((deletions) => {
  const pending: Parameters<DeletionStore["open"]>[] = [];
  return {
    open: (...request): Promise<void> => {
      pending.push(request);
      return Promise.resolve();
    },
    purge: async (slice, now) => {
      for (const request of pending.splice(0)) await deletions.open(...request);
      return deletions.purge(slice, now);
    },
  };
});

/** Purges all deliveries that exist at the time of the purge. */
export const purgingAnew = withDeletions((deletions) => ({
  purge: async (slice, now) => {
    const request = await deletions.find(slice.id);
    const again = `${slice.id} again` as typeof slice.id;
    if (request?.isPurged === false) await deletions.open({ ...request, id: again }, now);
    await deletions.purge({ id: again, limit: 10_000 }, now);
    return deletions.purge(slice, now);
  },
}));

/** Suppresses deleted users too. */
export const suppressingAll = withDeletions((deletions) => ({
  open: (deletion, now) => {
    const isDelete = deletion.regulation === "delete-only";
    return deletions.open(isDelete ? { ...deletion, regulation: "suppress-with-delete" } : deletion, now);
  },
}));

/** Ends every request, finished or not. */
export const endingAll = withDeletions((deletions) => ({
  finish: async (id, now) => {
    await deletions.finish(id, now);
    return true;
  },
}));

/** Purges one slice of deliveries, and no more. */
export const purgingOneSlice = withDeletions((deletions) => ({
  purge: async (slice, now) => {
    await deletions.purge({ ...slice, limit: 1 }, now);
    return { isDone: true };
  },
}));

/** Purges messages, and keeps answers. */
export function keepingAnswers(
  answers: Map<string, readonly EndpointState[]>,
): (store: DeliveryStore) => DeliveryStore {
  return (store) => ({
    ...store,
    commit: (changes, now) => {
      for (const { id, endpoints, outcome } of changes.settle)
        if (outcome.kind !== "released") answers.set(id, structuredClone(endpoints));
      return store.commit(changes, now);
    },
    find: async (id) => {
      const record = await store.find(id);
      return record === undefined ? undefined : { ...record, endpoints: answers.get(id) ?? record.endpoints };
    },
  });
}

/** Takes the latest progress, even if it is lower. */
export function followingTheLast(told: Map<string, number>): (store: DeliveryStore) => DeliveryStore {
  return (store) => ({
    ...withDeletions((deletions) => ({
      find: async (id) => {
        const request = await deletions.find(id);
        return request === undefined ? undefined : { ...request, notified: told.get(id) ?? request.notified };
      },
    }))(store),
    commit: (changes, now: EpochMs) => {
      for (const { deletion, users } of changes.notified ?? []) told.set(deletion, users);
      return store.commit(changes, now);
    },
  });
}

/** Answers for every settlement that it took effect as asked. */
export function hidingPurged(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    commit: async (changes, now) => {
      const committed = await store.commit(changes, now);
      return { ...committed, settled: committed.settled.map((one) => (one === "purged" ? "settled" : one)) };
    },
  };
}

/** Numbers requests from the start in each process. */
export function numberingAnew(store: DeliveryStore): DeliveryStore {
  let count = 0;
  const numbers = new Map<string, number>();
  return withDeletions((deletions) => ({
    open: async (deletion, now) => {
      await deletions.open(deletion, now);
      count += 1;
      numbers.set(deletion.id, count);
    },
    find: async (id) => {
      const request = await deletions.find(id);
      return request === undefined ? undefined : { ...request, number: numbers.get(id) ?? request.number };
    },
  }))(store);
}

/** Stores messages of any age. */
export function storingTheOutdated(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    commit: (changes, now) => {
      const accept = changes.accept.map(({ asOf: _, ...message }) => message);
      return store.commit({ ...changes, accept }, now);
    },
  };
}

/** Does not purge audience messages for a request with sources. */
export function sparingAudiences(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    commit: (changes, now) => {
      const accept = changes.accept.map((message) =>
        message.source.startsWith("audience/") ? { ...message, userIds: [] } : message,
      );
      return store.commit({ ...changes, accept }, now);
    },
  };
}
