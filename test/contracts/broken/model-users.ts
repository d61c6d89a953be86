// Stores that break a promise about users only in a combination of commands for which no case was written: the model finds
// them.

import type { Changes, DeletionRecord, DeliveryStore, DeliverySummary, NoticeProgress } from "@postrider/core";
import { withDeletions } from "./deletions.js";

/** Takes only requests that suppress for newer ones than the `asOf` of a message. */
export function agedBySuppressions(newest: { suppression: number }): (store: DeliveryStore) => DeliveryStore {
  return (store) => ({
    ...withDeletions((deletions) => ({
      open: async (deletion, now) => {
        await deletions.open(deletion, now);
        const { number, regulation = "" } = (await deletions.find(deletion.id)) ?? {};
        if (number !== undefined && regulation.startsWith("suppress"))
          newest.suppression = Math.max(newest.suppression, number);
      },
    }))(store),
    commit: (changes, now) => {
      const accept = changes.accept.map(({ asOf, ...message }) =>
        asOf === undefined || asOf >= newest.suppression ? message : { ...message, asOf },
      );
      return store.commit({ ...changes, accept }, now);
    },
  });
}

/** Of two progresses of one request in a commit, stores the latter. */
export function followingTheLatter(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    commit: ({ notified = [], ...changes }, now) => {
      const latest = new Map<string, NoticeProgress>(notified.map((progress) => [progress.deletion, progress]));
      return store.commit({ ...changes, notified: [...latest.values()] }, now);
    },
  };
}

/** Finds no suppressed user after one who is no longer suppressed. */
export const losingTheCursor = withDeletions((deletions) => ({
  suppressed: async (query) => {
    const users = await deletions.suppressed({ limit: 10_000 });
    return query.after === undefined || users.includes(query.after) ? deletions.suppressed(query) : [];
  },
}));

/** Lists no unfinished requests after a finished one. */
export const losingTheFinished = withDeletions((deletions) => ({
  list: async (query) => {
    const last = query.after === undefined ? undefined : await deletions.find(query.after);
    const isLost = query.unfinished === true && last?.finishedAt !== undefined;
    return isLost ? { deletions: [], more: false } : deletions.list(query);
  },
}));

/** Ends the suppression of the first user of a request only. */
export function sparingOthers(asked: Map<string, readonly string[]>): (store: DeliveryStore) => DeliveryStore {
  const whole = (found: DeletionRecord): DeletionRecord => {
    const userIds = asked.get(found.id);
    if (userIds === undefined) return found;
    return { ...found, users: userIds.length, userIds: found.userIds.length === 0 ? [] : userIds };
  };
  return withDeletions((deletions) => ({
    open: async (deletion, now) => {
      if (deletion.regulation !== "unsuppress") return deletions.open(deletion, now);
      if ((await deletions.find(deletion.id)) === undefined) asked.set(deletion.id, [...new Set(deletion.userIds)]);
      return deletions.open({ ...deletion, userIds: deletion.userIds.slice(0, 1) }, now);
    },
    find: async (id) => {
      const record = await deletions.find(id);
      return record && whole(record);
    },
    list: async (query) => {
      const page = await deletions.list(query);
      return { ...page, deletions: page.deletions.map(whole) };
    },
  }));
}

/** Counts a suppressed message for each of its suppressed users. */
export function countingUsers(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    commit: async (changes, now) => {
      const suppressed = await store.deletions?.suppressed({ limit: 10_000 });
      const again = changes.accept.filter(
        ({ asOf, userIds = [] }) => asOf === undefined && userIds.filter((id) => suppressed?.includes(id)).length > 1,
      );
      const tally = again.map(({ source }) => ({ source, refused: 0, suppressed: 1, shed: 0 }));
      return store.commit({ ...changes, tally: [...changes.tally, ...tally] }, now);
    },
  };
}

/** Stores a request once more if its id is that of a finished one. */
export const openingFinishedAgain = withDeletions((deletions) => ({
  open: async (deletion, now) => {
    const { finishedAt } = (await deletions.find(deletion.id)) ?? {};
    const id = finishedAt === undefined ? deletion.id : (`${deletion.id} again` as typeof deletion.id);
    await deletions.open({ ...deletion, id }, now);
  },
}));

/** Removes the users of a finished request from other requests too. */
export function forgettingEverywhere(forgotten: Map<string, Set<string>>): (store: DeliveryStore) => DeliveryStore {
  return withDeletions((deletions) => ({
    finish: async (id, now) => {
      const users = (await deletions.find(id))?.userIds ?? [];
      const isFinished = await deletions.finish(id, now);
      const openRequests = isFinished ? (await deletions.list({ unfinished: true, limit: 10_000 })).deletions : [];
      for (const request of openRequests)
        forgotten.set(request.id, new Set([...(forgotten.get(request.id) ?? []), ...users]));
      return isFinished;
    },
    find: async (id) => {
      const record = await deletions.find(id);
      const gone = forgotten.get(id);
      return record && { ...record, userIds: record.userIds.filter((userId) => gone?.has(userId) !== true) };
    },
  }));
}

/** Each process knows only those suppressions that it made, or found when it started. */
export function suppressingByProcess(all: Set<string>): (store: DeliveryStore) => DeliveryStore {
  return (store) => {
    const ownUsers = new Set(all);
    const isUnknown = ({ userIds = [] }: Changes["accept"][number]): boolean =>
      userIds.every((userId) => !ownUsers.has(userId)) && userIds.some((userId) => all.has(userId));
    return {
      ...withDeletions((deletions) => ({
        open: async (deletion, now) => {
          const isNew = (await deletions.find(deletion.id)) === undefined;
          await deletions.open(deletion, now);
          for (const userId of isNew ? deletion.userIds : []) {
            for (const users of [all, ownUsers]) {
              if (deletion.regulation.startsWith("suppress")) users.add(userId);
              if (deletion.regulation === "unsuppress") users.delete(userId);
            }
          }
        },
      }))(store),
      commit: (changes, now) => {
        const accept = changes.accept.map((message) => (isUnknown(message) ? { ...message, userIds: [] } : message));
        return store.commit({ ...changes, accept }, now);
      },
    };
  };
}

/** A store that shows other details of some deliveries. */
function withDetails(store: DeliveryStore, details: ReadonlyMap<string, string | undefined>): DeliveryStore {
  const show = <T extends DeliverySummary>(found: T): T => {
    const { detail, ...rest } = found;
    const newDetail = details.has(found.id) ? details.get(found.id) : detail;
    return { ...rest, ...(newDetail === undefined ? {} : { detail: newDetail }) } as T;
  };
  return {
    ...store,
    find: async (id) => {
      const record = await store.find(id);
      return record && show(record);
    },
    list: async (query) => {
      const page = await store.list(query);
      return { ...page, deliveries: page.deliveries.map(show) };
    },
  };
}

/** Writes the detail of `end` also to deliveries that become dead as purged. */
export function detailingPurged(details: Map<string, string>): (store: DeliveryStore) => DeliveryStore {
  return (store) => ({
    ...withDetails(store, details),
    end: async (request, now) => {
      const before = await unfinishedOf(store);
      const ended = await store.end(request, now);
      for (const id of request.detail === undefined ? [] : before) {
        const { destination, reason } = (await store.find(id)) ?? {};
        const isPurged = reason === "purged" && destination === request.lane;
        if (isPurged && request.detail !== undefined) details.set(id, request.detail);
      }
      return ended;
    },
  });
}

async function unfinishedOf(store: DeliveryStore): Promise<readonly DeliverySummary["id"][]> {
  const pages = [
    await store.list({ states: ["waiting"], limit: 10_000 }),
    await store.list({ states: ["claimed"], limit: 10_000 }),
  ];
  return pages.flatMap(({ deliveries }) => deliveries.map(({ id }) => id));
}

/** Does not store the detail of a settlement that is answered `purged`. */
export function droppingDetails(details: Map<string, string | undefined>): (store: DeliveryStore) => DeliveryStore {
  return (store) => ({
    ...withDetails(store, details),
    commit: async (changes, now) => {
      const before = await Promise.all(changes.settle.map(async ({ id }) => (await store.find(id))?.detail));
      const committed = await store.commit(changes, now);
      for (const [index, { id }] of changes.settle.entries())
        if (committed.settled[index] === "purged") details.set(id, before[index]);
      return committed;
    },
  });
}

/** Once a request is finished, no longer knows of the deliveries that were claimed then that their answers must not be kept. */
export function keepingLateAnswers(): (store: DeliveryStore) => DeliveryStore {
  const forgotten = new Set<string>();
  const answers = new Map<string, Changes["settle"][number]["endpoints"]>();
  return (store) => ({
    ...withDeletions((deletions) => ({
      finish: async (id, now) => {
        const isFinished = await deletions.finish(id, now);
        const claimed = isFinished ? (await store.list({ states: ["claimed"], limit: 10_000 })).deliveries : [];
        for (const { id: delivery } of claimed)
          if ((await store.find(delivery))?.body === undefined) forgotten.add(delivery);
        return isFinished;
      },
    }))(store),
    commit: async (changes, now) => {
      const settlements = structuredClone(changes.settle);
      const committed = await store.commit(changes, now);
      for (const [index, { id, endpoints, outcome }] of settlements.entries())
        if (forgotten.has(id) && committed.settled[index] !== "stale" && outcome.kind !== "released")
          answers.set(id, endpoints);
      return committed;
    },
    find: async (id) => {
      const record = await store.find(id);
      return record && { ...record, endpoints: structuredClone(answers.get(id)) ?? record.endpoints };
    },
  });
}
