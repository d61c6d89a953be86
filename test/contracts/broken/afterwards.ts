// Stores that change what a delivery was when something comes afterwards: a late attempt, a replay, a sibling, a purge, a sweep.

import type { Changes, CommitResult, DeliveryId, DeliveryRecord, DeliveryStore } from "@postrider/core";
import { withDeletions } from "./deletions.js";

/** The ids of the deliveries that a commit takes for finished at its time, though they were finished before. */
type RenewedBy = (changes: Changes, committed: CommitResult) => readonly DeliveryId[];

/** Keeps one time for each row, which each of its changes renews. */
function renewing(renewedBy: RenewedBy): (store: DeliveryStore) => DeliveryStore {
  return (store) => {
    const { deletions } = store;
    const renewedAt = new Map<DeliveryId, number>();
    let purgedAt = -Infinity;
    const isTooYoung = (before: number): boolean => Math.max(purgedAt, ...renewedAt.values()) >= before;
    return {
      ...store,
      commit: async (changes, now) => {
        const committed = await store.commit(changes, now);
        for (const id of renewedBy(changes, committed)) renewedAt.set(id, now);
        return committed;
      },
      sweep: async (request, now) =>
        isTooYoung(Math.min(request.deliveredBefore, request.deadBefore)) ? 0 : store.sweep(request, now),
      ...(deletions && {
        deletions: {
          ...deletions,
          purge: (slice, now) => {
            if (renewedBy === NOTHING) purgedAt = now;
            return deletions.purge(slice, now);
          },
        },
      }),
    };
  };
}

const NOTHING: RenewedBy = () => [];

export const renewingByPurges = renewing(NOTHING);
export const renewingByLateAttempts = renewing(({ append }) => append.map(({ id }) => id));
export const renewingByReplays = renewing(({ replay }) => replay.map(({ of }) => of));

/** Keeps the time of finishing with the message, so that it is that of the last delivery. */
export function renewingBySiblings(): (store: DeliveryStore) => DeliveryStore {
  const siblings: Siblings = new Map();
  return renewing(({ settle }, { accepted }) => {
    noteSiblings(siblings, accepted);
    return settle.flatMap(({ id }) => (siblings.get(id) ?? []).filter((sibling) => sibling !== id));
  });
}

/** All deliveries of the message of each delivery. */
type Siblings = Map<DeliveryId, readonly DeliveryId[]>;

function noteSiblings(siblings: Siblings, accepted: CommitResult["accepted"]): void {
  for (const answer of accepted)
    if (answer.kind === "stored") for (const id of answer.deliveries) siblings.set(id, answer.deliveries);
}

/** Keeps attempts with the message, and removes them with the first of its deliveries. */
export function losingAttemptsOfSiblings(): (store: DeliveryStore) => DeliveryStore {
  const siblings: Siblings = new Map();
  return (store) => ({
    ...store,
    commit: async (changes, now) => {
      const committed = await store.commit(changes, now);
      noteSiblings(siblings, committed.accepted);
      return committed;
    },
    find: async (id) => {
      const records = await Promise.all((siblings.get(id) ?? [id]).map((sibling) => store.find(sibling)));
      const record = await store.find(id);
      return record && records.includes(undefined) ? { ...record, attempts: [], attemptCount: 0 } : record;
    },
  });
}

/** Forgets of which delivery a replay is one, if `isForgotten` says so of the replay and of that delivery. */
export function forgettingOriginals(
  isForgotten: (replay: DeliveryRecord, original: DeliveryRecord | undefined) => boolean,
): (store: DeliveryStore) => DeliveryStore {
  return (store) => ({
    ...store,
    find: async (id) => {
      const record = await store.find(id);
      if (record?.replayOf === undefined || !isForgotten(record, await store.find(record.replayOf))) return record;
      const rest: { replayOf?: DeliveryId } & DeliveryRecord = { ...record };
      delete rest.replayOf;
      return rest;
    },
  });
}

/** Removes from the index of users only those of the request that purges. */
export function indexingOtherUsers(store: DeliveryStore): DeliveryStore {
  const usersOf = new Map<DeliveryId, readonly string[]>();
  const deletedUsers = new Set<string>();
  const watched = withDeletions((deletions) => ({
    open: (deletion, now) => {
      for (const userId of deletion.userIds) deletedUsers.add(userId);
      return deletions.open(deletion, now);
    },
  }))(store);

  async function purgedOf(userId: string): Promise<readonly DeliveryRecord[]> {
    const ids = [...usersOf].filter(([, userIds]) => userIds.includes(userId)).map(([id]) => id);
    const records = await Promise.all(ids.map((id) => store.find(id)));
    return records.filter((record) => record !== undefined).filter(({ body }) => body === undefined);
  }

  return {
    ...watched,
    commit: async (changes, now) => {
      const committed = await store.commit(changes, now);
      for (const [index, answer] of committed.accepted.entries())
        if (answer.kind === "stored")
          for (const id of answer.deliveries) usersOf.set(id, changes.accept[index]?.userIds ?? []);
      return committed;
    },
    list: async (query) => {
      const page = await store.list(query);
      const { userId } = query;
      if (userId === undefined || deletedUsers.has(userId)) return page;
      return { ...page, deliveries: [...page.deliveries, ...(await purgedOf(userId))].slice(0, query.limit) };
    },
  };
}

/** Says of a late attempt of a purged delivery that the delivery is gone. */
export function movingThePurged(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    commit: async ({ append, ...changes }, now) => {
      const records = await Promise.all(append.map(({ id }) => store.find(id)));
      const isGone = records.map((record) => record?.reason === "purged");
      const committed = await store.commit({ ...changes, append: append.filter((_, index) => !isGone[index]) }, now);
      const answers = [...committed.appended];
      return { ...committed, appended: isGone.map((gone) => (gone ? "gone" : (answers.shift() ?? "gone"))) };
    },
  };
}
