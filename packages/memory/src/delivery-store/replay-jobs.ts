// The replay jobs of a memory delivery store. Records are copied when they are stored and read, so that a caller cannot change
// the stored ones.

import { createStoreError, type ReplayJob, type ReplayJobStore } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import type { MemoryStoreBounds } from "./bounds.js";
import type { Contents } from "./contents.js";
import type { RunAsPromise } from "./deletions/create-deletions.js";

export function createMemoryReplayJobs(
  { replayJobs }: Pick<Contents, "replayJobs">,
  { maxReplayJobs }: Pick<MemoryStoreBounds, "maxReplayJobs">,
  answer: RunAsPromise,
): ReplayJobStore {
  return {
    create: (job) =>
      answer(() => {
        if (replayJobs.has(job.id)) return false;
        if (replayJobs.size >= maxReplayJobs) throw createStoreError("full", "the memory store is at its bound");
        replayJobs.set(job.id, copy(job));
        return true;
      }),
    replace: (job) =>
      answer(() => {
        if (replayJobs.get(job.id)?.revision !== job.revision - 1) return false;
        replayJobs.set(job.id, copy(job));
        return true;
      }),
    find: (id) =>
      answer(() => {
        const found = replayJobs.get(id);
        return found === undefined ? undefined : copy(found);
      }),
    list: ({ running = false }) =>
      answer(() =>
        [...replayJobs.values()]
          .filter((job) => !running || isRunning(job))
          .map(copy)
          .toSorted(newestFirst),
      ),
    remove: (id) => answer(() => void replayJobs.delete(id)),
  };
}

function isRunning({ state }: ReplayJob): boolean {
  return state === "running";
}

function copy(job: ReplayJob): ReplayJob {
  const { filter, step, holder } = job;
  return {
    ...job,
    filter: { ...filter, states: [...filter.states], ...defined({ details: filter.details && [...filter.details] }) },
    ...defined({
      step: step && { ...step, deliveries: [...step.deliveries] },
      holder: holder && { ...holder },
    }),
  };
}

function newestFirst(one: ReplayJob, other: ReplayJob): number {
  return other.createdAt - one.createdAt;
}
