// Says what commands about users bring about.

import type { DeliveryStore } from "@postrider/core";
import type { Note } from "./reach-storage.js";

export function watchUsers(store: DeliveryStore, note: Note): DeliveryStore {
  const { deletions } = store;
  if (deletions === undefined) return store;
  return {
    ...store,
    claim: async (request, now) => {
      const before = await purgedOf(store);
      const claimed = await store.claim(request, now);
      if ((await purgedOf(store)) > before) note("purged by a claim");
      return claimed;
    },
    end: async (request, now) => {
      const before = await purgedOf(store);
      const ended = await store.end(request, now);
      if ((await purgedOf(store)) > before) note("purged by an end");
      return ended;
    },
    deletions: {
      ...deletions,
      open: async (deletion, now) => {
        const existing = await deletions.find(deletion.id);
        note(existing === undefined ? `opened ${deletion.regulation}` : "opened a request that is stored");
        await deletions.open(deletion, now);
      },
      purge: async (slice, now) => {
        const before = await deletions.find(slice.id);
        const purged = await deletions.purge(slice, now);
        const after = await deletions.find(slice.id);
        if (before?.isPurged === false) note(purged.isDone ? "purge done" : "purge to be continued");
        if ((after?.purged ?? 0) > (before?.purged ?? 0)) note("bodies purged");
        if (before?.isPurged !== false && purged.isDone) note("nothing to purge");
        return purged;
      },
      finish: async (id, now) => {
        const before = await deletions.find(id);
        const isFinished = await deletions.finish(id, now);
        const isAgain = before?.finishedAt !== undefined;
        note(isFinished ? (isAgain ? "finished again" : "finished") : "not finished");
        const claimed = await store.list({ states: ["claimed"], limit: 1_000 });
        const records = isFinished ? await Promise.all(claimed.deliveries.map((one) => store.find(one.id))) : [];
        if (records.some((record) => record?.body === undefined)) note("finished with a purged claim under way");
        return isFinished;
      },
      suppressed: async (query) => {
        const users = await deletions.suppressed(query);
        if (query.after !== undefined && users.length > 0) note("suppressed users behind another");
        return users;
      },
    },
  };
}

async function purgedOf(store: DeliveryStore): Promise<number> {
  return (await store.list({ reason: "purged", limit: 1_000 })).deliveries.length;
}
