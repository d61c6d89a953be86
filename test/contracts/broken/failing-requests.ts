// Stores that do wrong with deletion requests when their storage fails, and one that rejects with what is no error.

import type { DeletionStore, DeliveryStore } from "@postrider/core";
import { behindGate, type DiskAccess, overGatedDisk } from "./gated-disk.js";
import type { Storage } from "./storage.js";

/** Looks at a request after it has stored it, and is `busy` if it cannot. */
export function busyAfterOpening(): Storage {
  return overGatedRequests(({ access, deletions }) => ({
    open: async (deletion, now) => {
      await access(() => deletions.open(deletion, now));
      await access(() => Promise.resolve());
    },
  }));
}

/** Purges delivery by delivery, each in a separate transaction. */
export function purgingOneByOne(): Storage {
  return overGatedRequests(({ access, deletions }) => ({
    purge: async ({ id, limit }, now) => {
      for (let count = 0; count < limit; count += 1) {
        const { isDone } = await access(() => deletions.purge({ id, limit: 1 }, now));
        if (isDone) return { isDone };
      }
      return { isDone: false };
    },
  }));
}

/** Takes the end of a request that fails for one that was made. */
export function finishingAnyway(): Storage {
  return overGatedRequests(({ access, deletions }) => ({
    finish: (id, now) => access(() => deletions.finish(id, now)).catch(() => true),
  }));
}

/** Reports requests that it cannot read as absent. */
export function readingNoRequests(): Storage {
  return overGatedRequests(({ access, deletions }) => ({
    list: (query) => access(() => deletions.list(query)).catch(() => ({ deletions: [], more: false })),
    suppressed: (query) => access(() => deletions.suppressed(query)).catch(() => []),
  }));
}

/** Of commits at the same time it takes one, and rejects the others with an object that only looks like an error. */
export function rejectingWithObjects(store: DeliveryStore): DeliveryStore {
  let isCommitting = false;
  return {
    ...store,
    commit: async (changes, now) => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- what is wrong with it
      if (isCommitting) throw { code: "busy" };
      isCommitting = true;
      const committed = await store.commit(changes, now);
      isCommitting = false;
      return committed;
    },
  };
}

interface DeletionAccess extends DiskAccess {
  readonly deletions: DeletionStore;
}

/** A storage whose stores have these methods for requests in place of those that work. */
function overGatedRequests(breakIt: (disk: DeletionAccess) => Partial<DeletionStore>): Storage {
  return overGatedDisk((disk) => {
    const [{ deletions }, gated] = [disk.store, behindGate(disk.store, disk.access).deletions];
    if (deletions === undefined || gated === undefined) throw new Error("a memory store has deletions");
    return { deletions: { ...gated, ...breakIt({ ...disk, deletions }) } };
  });
}
