// The small records of a memory delivery store: pauses of lanes, replay jobs, and a few revisions of the settings, each with its
// document as a text.

import {
  createStoreError,
  type PauseStore,
  type ReplayJob,
  type ReplayJobStore,
  MAX_SETTINGS_HISTORY,
  type SettingsRevision,
  type SettingsStore,
} from "@postrider/core";
import { defined } from "@postrider/core/engine";
import type { MemoryStoreBounds } from "./bounds.js";
import type { Contents, Answering, RunAsPromise } from "./contents.js";

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

export function createMemorySettings(
  { settings }: Pick<Contents, "settings">,
  { answer, timeFor }: Answering,
): SettingsStore {
  return {
    put: ({ expect, document, actor }, now) =>
      answer(() => {
        const revision = settings.at(-1)?.revision ?? 0;
        if (expect !== revision) return { kind: "stale", revision };
        settings.push({ revision: revision + 1, document, changedAt: timeFor(now), ...defined({ actor }) });
        if (settings.length > MAX_SETTINGS_HISTORY) settings.shift();
        return { kind: "stored", revision: revision + 1 };
      }),
    latest: (above) =>
      answer(() => {
        const last = settings.at(-1);
        return last === undefined || last.revision <= above ? undefined : { ...last };
      }),
    find: (revision) =>
      answer(() => {
        const found = settings.find((one) => one.revision === revision);
        return found === undefined ? undefined : { ...found };
      }),
    history: () => answer(() => settings.map(withoutDocument).toReversed()),
  };
}

function withoutDocument({ document: _document, ...change }: SettingsRevision): Omit<SettingsRevision, "document"> {
  return change;
}
