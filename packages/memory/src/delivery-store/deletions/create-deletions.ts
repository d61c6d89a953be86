// The deletion store of a memory delivery store: requests to delete or suppress users.

import type { DeletionStore, EpochMs } from "@postrider/core";
import type { MemoryStoreBounds } from "../bounds.js";
import type { Contents } from "../contents.js";
import { findDeletion, listDeletions } from "./find.js";
import { finish } from "./finish.js";
import { openDeletion } from "./open.js";
import { purge } from "./purge.js";
import { listSuppressed } from "./suppressed.js";

/** Runs `work` and answers with a promise; rejects once the store is closed. */
export type RunAsPromise = <T>(work: () => T) => Promise<T>;

/** How a part of a memory store answers. */
export interface Answering {
  readonly answer: RunAsPromise;
  /** The time of an operation that was given `now`. */
  readonly timeFor: (now: EpochMs) => EpochMs;
}

export function createMemoryDeletions(
  contents: Contents,
  bounds: MemoryStoreBounds,
  { answer, timeFor }: Answering,
): DeletionStore {
  return {
    open: (deletion, now) =>
      answer(() => {
        openDeletion(contents, bounds, deletion, timeFor(now));
      }),
    purge: (slice, now) => answer(() => purge(contents, slice, timeFor(now))),
    finish: (id, now) => answer(() => finish(contents, id, timeFor(now))),
    find: (id) => answer(() => findDeletion(contents, id)),
    list: (query) => answer(() => listDeletions(contents, query)),
    suppressed: (query) => answer(() => listSuppressed(contents, query)),
  };
}
