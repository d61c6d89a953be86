// Stores that break a promise only if commands overlap, if the process dies under way, or in a combination of commands for
// which no case was written: the model finds them.

import { type Changes, type CommitResult, createStoreError, type DeliveryStore } from "@postrider/core";
import { overOneDisk, type Storage } from "./storage.js";

const NOTHING = { accept: [], settle: [], replay: [], append: [], tally: [] } as const;

/** Applies the replays of a commit before its settlements. */
export function settlingAfterReplays(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    commit: async ({ settle, append, ...changes }, now) => {
      const [first, second] = await Promise.all([
        store.commit({ ...changes, settle: [], append: [] }, now),
        store.commit({ ...NOTHING, lease: changes.lease, settle, append }, now),
      ]);
      return { ...first, settled: second.settled, appended: second.appended };
    },
  };
}

/** Loses the tally of a commit that begins while another one is under way. */
export function losingTallies(): (store: DeliveryStore) => DeliveryStore {
  let underWay = 0;
  return (store) => ({
    ...store,
    commit: async (changes, now) => {
      const isAlone = underWay === 0;
      underWay += 1;
      const committed = await store.commit(isAlone ? changes : { ...changes, tally: [] }, now);
      underWay -= 1;
      return committed;
    },
  });
}

/** Lets other commands take effect after the messages of a commit, and before its settlements. */
export function commitsInterrupted(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    commit: async ({ accept, ...changes }, now) => {
      const { accepted } = await store.commit({ ...NOTHING, lease: changes.lease, accept }, now);
      return { ...(await store.commit({ ...changes, accept: [] }, now)), accepted };
    },
  };
}

/** Of a commit that is under way when the process dies, its messages are stored, and no more. */
export function createHalfStorage(): Storage {
  let starts = 0;
  return overOneDisk((store) => {
    starts += 1;
    const mine = starts;
    return {
      ...store,
      commit: async ({ accept, ...changes }, now): Promise<CommitResult> => {
        const isEmpty = accept.length === 0;
        const { accepted } = await store.commit({ ...NOTHING, lease: changes.lease, accept }, now);
        if (!isEmpty) await Promise.resolve();
        if (mine !== starts) throw createStoreError("unavailable", "the process has died");
        return { ...(await store.commit({ ...changes, accept: [] }, now)), accepted };
      },
    };
  });
}

/** Removes the body of a message with the last of its replays but one, though a later replay needs it. */
export function sweepingBodiesOfReplays(): (store: DeliveryStore) => DeliveryStore {
  const replays = new Map<string, string>();
  const bodiless = new Set<string>();
  return (store) => ({
    ...store,
    commit: async (changes, now) => {
      const committed = await store.commit(changes, now);
      for (const [index, id] of committed.replayed.entries()) {
        const { of } = changes.replay[index] as Changes["replay"][number];
        if (id !== undefined) replays.set(id, of);
      }
      return committed;
    },
    sweep: async (request, now) => {
      const swept = await store.sweep(request, now);
      for (const [id, of] of replays) {
        const isOfReplay = replays.has(of) && (await store.find(of as never)) === undefined;
        if (isOfReplay) bodiless.add(id);
      }
      return swept;
    },
    find: async (id) => {
      const record = await store.find(id);
      return record && bodiless.has(id) ? { ...record, body: new Uint8Array() } : record;
    },
  });
}

/** Answers a settlement of an expired lease as stale if another claim of the lane was made meanwhile. */
export function tokensByLane(): (store: DeliveryStore) => DeliveryStore {
  const latest = new Map<string, string>();
  return (store) => ({
    ...store,
    claim: (request, now) => {
      for (const { lane } of request.lanes) latest.set(lane, request.token);
      return store.claim(request, now);
    },
    commit: async (changes, now) => {
      const lanes = await Promise.all(changes.settle.map(async ({ id }) => (await store.find(id))?.destination));
      const settle = changes.settle.map((settlement, index) => {
        const token = latest.get(lanes[index] ?? "");
        const isLate = settlement.outcome.kind === "released" && token !== undefined && token !== settlement.token;
        return isLate ? { ...settlement, token: "another's" as typeof settlement.token } : settlement;
      });
      return store.commit({ ...changes, settle }, now);
    },
  });
}
