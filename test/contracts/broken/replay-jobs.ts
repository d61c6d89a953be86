// Stores that keep the records of replay jobs wrongly.

import type { DeliveryStore, ReplayJob, ReplayJobId, ReplayJobStore } from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import { overGatedDisk } from "./gated-disk.js";
import type { Storage } from "./storage.js";

type ChangeJobs = (jobs: ReplayJobStore) => Partial<ReplayJobStore>;

/** A store with changed replay jobs. */
function withJobs(change: ChangeJobs): (store: DeliveryStore) => DeliveryStore {
  return ({ replayJobs, ...store }) =>
    replayJobs === undefined ? store : { ...store, replayJobs: { ...replayJobs, ...change(replayJobs) } };
}

/** Keeps the jobs in the memory of the process. */
export function keepingJobsInMemory(store: DeliveryStore): DeliveryStore {
  const { replayJobs } = createMemoryStore({ disk: createMemoryDisk() });
  return replayJobs === undefined ? store : { ...store, replayJobs };
}

/** Writes a new job over one of the same id. */
export const overwritingJobs = withJobs((jobs) => ({
  create: async (job) => {
    await jobs.remove(job.id);
    return jobs.create(job);
  },
}));

/** Replaces a record whatever its revision. */
export const trustingRevisions = withJobs((jobs) => ({
  replace: async (job) => {
    if ((await jobs.find(job.id)) === undefined) return false;
    await jobs.remove(job.id);
    return jobs.create(job);
  },
}));

/** Stores a record that is to replace one, if there is none. */
export const bringingBack = withJobs((jobs) => ({
  replace: async (job) => ((await jobs.find(job.id)) === undefined ? jobs.create(job) : jobs.replace(job)),
}));

/** Loses the step of a job. */
export const losingSteps = withJobs((jobs) => ({
  replace: (job) => {
    const { step, ...rest } = job;
    return jobs.replace(step === undefined ? job : rest);
  },
}));

/** Keeps 255 ids of a step. */
export const cuttingSteps = withJobs((jobs) => ({
  create: (job) => jobs.create(job.step === undefined ? job : { ...job, step: { ...job.step, deliveries: cut(job) } }),
}));

function cut({ step }: ReplayJob): NonNullable<ReplayJob["step"]>["deliveries"] {
  return step?.deliveries.slice(0, 255) ?? [];
}

/** Lists jobs in the order of their storing. */
export const listingOldestFirst = withJobs((jobs) => ({
  list: async (query) => (await jobs.list(query)).toReversed(),
}));

/** Lists ended jobs among the running ones. */
export const listingAll = withJobs((jobs) => ({ list: () => jobs.list({}) }));

/** Lists 50 jobs. */
export const listingSome = withJobs((jobs) => ({ list: async (query) => (await jobs.list(query)).slice(0, 50) }));

/** Takes ids that differ only in case for one. */
export const foldingJobs = withJobs((jobs) => ({
  create: (job) => jobs.create({ ...job, id: folded(job.id) }),
  find: (id) => jobs.find(folded(id)),
}));

function folded(id: ReplayJobId): ReplayJobId {
  return id.toLowerCase() as ReplayJobId;
}

/** Says that there are no jobs when it cannot read. */
export function readingNoJobs(): Storage {
  return overGatedJobs((jobs) => ({ list: (query) => jobs.list(query).catch(() => []) }));
}

/** Looks at the record after it was replaced, and is `busy` if it cannot. */
export function busyAfterReplacing(): Storage {
  return overGatedJobs((jobs) => ({
    replace: async (job) => {
      const isReplaced = await jobs.replace(job);
      await jobs.find(job.id);
      return isReplaced;
    },
  }));
}

/** Looks at the revision first, and then writes. */
export function replacingInTwoSteps(): Storage {
  return overGatedJobs((jobs) => ({
    replace: async (job) => {
      const found = await jobs.find(job.id);
      if (found?.revision !== job.revision - 1) return false;
      await jobs.remove(job.id);
      return jobs.create(job);
    },
  }));
}

function overGatedJobs(change: ChangeJobs): Storage {
  return overGatedDisk(({ store, access }) => {
    const { replayJobs: jobs } = store;
    if (jobs === undefined) return {};
    const gated: ReplayJobStore = {
      create: (job) => access(() => jobs.create(job)),
      replace: (job) => access(() => jobs.replace(job)),
      find: (id) => access(() => jobs.find(id)),
      list: (query) => access(() => jobs.list(query)),
      remove: (id) => access(() => jobs.remove(id)),
    };
    return { replayJobs: { ...gated, ...change(gated) } };
  });
}
