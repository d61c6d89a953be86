// The deletion store of a memory delivery store: requests to delete or suppress users.

import type { DeletionStore } from "@postrider/core";
import type { MemoryStoreBounds } from "../bounds.js";
import type { Contents } from "../contents.js";
import { findDeletion, listDeletions } from "./find.js";
import { finish } from "./finish.js";
import { openDeletion } from "./open.js";
import { purge } from "./purge.js";
import { listSuppressed } from "./suppressed.js";

/** Runs `work` and answers with a promise; rejects once the store is closed. */
export type RunAsPromise = <T>(work: () => T) => Promise<T>;

export function createMemoryDeletions(
  contents: Contents,
  bounds: MemoryStoreBounds,
  answer: RunAsPromise,
): DeletionStore {
  return {
    open: (deletion, now) =>
      answer(() => {
        openDeletion(contents, bounds, deletion, now);
      }),
    purge: (slice, now) => answer(() => purge(contents, slice, now)),
    finish: (id, now) => answer(() => finish(contents, id, now)),
    find: (id) => answer(() => findDeletion(contents, id)),
    list: (query) => answer(() => listDeletions(contents, query)),
    suppressed: (query) => answer(() => listSuppressed(contents, query)),
  };
}
