// The pauses of a memory delivery store. They are few: at most one for each lane.

import { createStoreError, type PauseStore } from "@postrider/core";
import type { MemoryStoreBounds } from "./bounds.js";
import type { Contents } from "./contents.js";
import type { Answering } from "./deletions/create-deletions.js";

export function createMemoryPauses(
  { pauses }: Pick<Contents, "pauses">,
  { maxPauses }: Pick<MemoryStoreBounds, "maxPauses">,
  { answer, timeFor }: Answering,
): PauseStore {
  return {
    add: (lane, now) =>
      answer(() => {
        if (pauses.has(lane)) return;
        if (pauses.size >= maxPauses) throw createStoreError("full", "the memory store is at its bound");
        pauses.set(lane, timeFor(now));
      }),
    remove: (lane) => answer(() => void pauses.delete(lane)),
    list: ({ after, limit }) =>
      answer(() => {
        const lanes = [...pauses].map(([lane, pausedAt]) => ({ lane, pausedAt }));
        const behind = lanes.filter(({ lane }) => after === undefined || lane > after);
        return behind.sort((one, other) => (one.lane < other.lane ? -1 : 1)).slice(0, limit);
      }),
  };
}
