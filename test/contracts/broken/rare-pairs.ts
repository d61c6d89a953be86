// Stores that fail only where two rare things follow each other, such as a sweep and a restart.

import type { BoardRow, DeletionStore, DeliveryId, DeliveryStore, EndpointState } from "@postrider/core";
import { HOUR_MS } from "@postrider/core/engine";
import { withDeletions } from "./deletions.js";

const ALL = 100_000;
const DAY_MS = 24 * HOUR_MS;

/** After a restart, numbers new deliveries on from the highest number that is left. */
export function numberingOnFromWhatIsLeft(): (store: DeliveryStore) => DeliveryStore {
  const shownIds = new Map<DeliveryId, DeliveryId>();
  const storedIds = new Map<DeliveryId, DeliveryId>();
  const shown = (id: DeliveryId): DeliveryId => shownIds.get(id) ?? id;
  const stored = (id: DeliveryId): DeliveryId => storedIds.get(id) ?? id;
  return (store) => {
    let highest: Promise<number> | undefined;

    async function highestLeft(): Promise<number> {
      const { deliveries } = await store.list({ limit: ALL });
      return Math.max(0, ...deliveries.map(({ id }) => Number(shown(id))));
    }

    return {
      ...store,
      commit: async ({ settle, replay, append, ...changes }, now) => {
        let last = await (highest ??= highestLeft());
        const name = (id: DeliveryId): DeliveryId => {
          last += 1;
          shownIds.set(id, String(last) as DeliveryId);
          storedIds.set(String(last) as DeliveryId, id);
          return shown(id);
        };
        const ids = {
          settle: settle.map((settlement) => ({ ...settlement, id: stored(settlement.id) })),
          replay: replay.map(({ of, start }) => ({ of: stored(of), start })),
          append: append.map(({ id, attempt }) => ({ id: stored(id), attempt })),
        };
        const committed = await store.commit({ ...changes, ...ids }, now);
        const accepted = committed.accepted.map((answer) =>
          answer.kind === "stored" ? { ...answer, deliveries: answer.deliveries.map(name) } : answer,
        );
        const replayed = committed.replayed.map((id) => (id === undefined ? undefined : name(id)));
        highest = Promise.resolve(last);
        return { ...committed, accepted, replayed };
      },
      claim: async (request, now) => {
        const { deliveries, ...claimed } = await store.claim(request, now);
        return { ...claimed, deliveries: deliveries.map((delivery) => ({ ...delivery, id: shown(delivery.id) })) };
      },
      find: async (id) => {
        const record = await store.find(stored(id));
        return record === undefined ? undefined : { ...record, id };
      },
    };
  };
}

/** Keeps a body for a day, whatever the state of its deliveries is. */
export function keepingBodiesForADay(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    claim: async (request, now) => {
      const { deliveries, ...claimed } = await store.claim(request, now);
      const withBodies = deliveries.map((delivery) =>
        now - delivery.acceptedAt < DAY_MS
          ? delivery
          : { ...delivery, body: delivery.body.slice(0, 0) as typeof delivery.body },
      );
      return { ...claimed, deliveries: withBodies };
    },
  };
}

/** Keeps a row of the board for an hour after it was written. */
export function keepingRowsForAnHour(): (store: DeliveryStore) => DeliveryStore {
  const writtenAt = new Map<string, number>();
  let latestNow = 0;
  return (store) => {
    const { board } = store;
    if (board === undefined) return store;
    const isThere = ({ lane }: BoardRow): boolean => latestNow - (writtenAt.get(lane) ?? latestNow) < HOUR_MS;
    return {
      ...store,
      board: {
        ...board,
        write: (rows) => {
          for (const { lane } of rows) writtenAt.set(lane, latestNow);
          return board.write(rows);
        },
        beat: async (request, now) => {
          latestNow = now;
          const news = await board.beat(request, now);
          return { ...news, rows: news.rows.filter(isThere) };
        },
      },
    };
  };
}

/** Shows of a delivery whose claim has lapsed when it was accepted, as the time at which it was due. */
export function dueSinceAcceptance(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    claim: async (request, now) => {
      const { deliveries, ...claimed } = await store.claim(request, now);
      const records = await Promise.all(deliveries.map(({ id }) => store.find(id)));
      const asDue = deliveries.map((delivery, index) =>
        records[index]?.lapses === undefined ? delivery : { ...delivery, dueAt: delivery.acceptedAt },
      );
      return { ...claimed, deliveries: asDue };
    },
  };
}

/** Keeps the excerpt of an endpoint if its next answer has none, as `coalesce` does. */
export function keepingExcerpts(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    commit: async ({ settle, ...changes }, now) => {
      const kept = await Promise.all(
        settle.map(async (settlement) => {
          const before = (await store.find(settlement.id))?.endpoints ?? [];
          const coalesced = (state: EndpointState): EndpointState => {
            const excerpt = state.excerpt ?? before.find(({ endpoint }) => endpoint === state.endpoint)?.excerpt;
            return excerpt === undefined ? state : { ...state, excerpt };
          };
          return { ...settlement, endpoints: settlement.endpoints.map(coalesced) };
        }),
      );
      return store.commit({ ...changes, settle: kept }, now);
    },
  };
}

/** Records one late attempt of each delivery. */
export function recordingOneLateAttempt(): (store: DeliveryStore) => DeliveryStore {
  const appendedTo = new Set<DeliveryId>();
  return (store) => ({
    ...store,
    commit: async ({ append, ...changes }, now) => {
      const isFirst = append.map(({ id }) => !appendedTo.has(id));
      for (const { id } of append) appendedTo.add(id);
      const committed = await store.commit({ ...changes, append: append.filter((_, index) => isFirst[index]) }, now);
      const answers = [...committed.appended];
      return { ...committed, appended: isFirst.map((first) => (first ? (answers.shift() ?? "gone") : "appended")) };
    },
  });
}

/** Sorts suppressed users by a collation, and compares the cursor by units. */
export const sortingByCollation: (store: DeliveryStore) => DeliveryStore = withDeletions((deletions) => ({
  suppressed: async ({ after, limit }) => {
    const users = await deletions.suppressed({ limit: ALL });
    const following = users.filter((user) => after === undefined || user > after);
    return following.toSorted((first, second) => first.localeCompare(second)).slice(0, limit);
  },
}));

/** Looks for the cursor of unfinished requests among those that are unfinished now. */
export const lookingForTheCursor: (store: DeliveryStore) => DeliveryStore = withDeletions((deletions) => ({
  list: async (query) => {
    if (query.unfinished !== true || query.after === undefined) return deletions.list(query);
    const isThere = (await allUnfinished(deletions)).includes(query.after);
    return isThere ? deletions.list(query) : { deletions: [], more: false };
  },
}));

async function allUnfinished(deletions: DeletionStore): Promise<readonly string[]> {
  return (await deletions.list({ unfinished: true, limit: ALL })).deletions.map(({ id }) => id);
}
