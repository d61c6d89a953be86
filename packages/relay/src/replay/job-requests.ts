// Answers what an operator asks about replay jobs: previews, creates, cancels and shows them. Carries none of them out. Other
// processes may change the record of a job too: a cancel may come by way of any process.

import {
  type Clock,
  type Random,
  type ReplayFilter,
  type ReplayJob,
  type ReplayJobId,
  replayJobId,
} from "@postrider/core";
import { endReplayJob, newReplayJob } from "@postrider/core/engine";
import { err, errAsync, ok, type Result, ResultAsync } from "neverthrow";
import { createLongWork } from "../loop.js";
import { MAX_REPLAY_JOBS, REPLAY_JOB_ID_BYTES } from "../limits.js";
import { randomHex } from "../random-hex.js";
import type { SettingsInForce } from "../settings-in-force.js";
import { toRelayFault, type StoreFault } from "../fault.js";
import { type AskRecords, type Storage, whileBusy } from "../commits/storage.js";
import { preview } from "./preview.js";
import type { ReplayJobFault, ReplayJobs } from "../requests.js";
import { createRecords, type Records, replaceRecord, REPLAY_JOB_RECORDS } from "../commits/records.js";

const NOT_CHANGED = "not-changed";

interface JobRequestsContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: SettingsInForce;
  readonly storage: Storage;
  readonly records: JobRecords;
  readonly isStopped: () => boolean;
  readonly onStarted: () => void;
}

/** The requests of an operator. `onStarted` is called once a job is stored. */
export function createJobRequests(context: JobRequestsContext): ReplayJobs {
  const { clock, random, settings, storage, records, isStopped, onStarted } = context;

  const previewReplay = (filter: ReplayFilter): ReturnType<ReplayJobs["previewReplay"]> => {
    const { destination } = filter;
    if (destination !== undefined && settings.destination(destination) === undefined)
      return errAsync({ code: "destination-removed" });
    const work = createLongWork(clock, () => !isStopped());
    return new ResultAsync(preview({ storage, settings, work }, filter)).mapErr(toJobFault);
  };

  async function start(filter: ReplayFilter, expected: number): Promise<Result<ReplayJob, ReplayJobFault>> {
    const room = await makeRoom(records);
    if (room.isErr()) return err(room.error);
    const id = replayJobId(randomHex(random, REPLAY_JOB_ID_BYTES));
    const job = newReplayJob({ id, createdAt: clock.wall(), expected, filter });
    const created = await records.put(job);
    if (created.isOk()) onStarted();
    return created.map(() => job).mapErr(toRelayFault);
  }

  async function cancel(id: ReplayJobId): Promise<Result<ReplayJob, ReplayJobFault>> {
    const found = await records.find(id);
    if (found.isErr()) return err(toRelayFault(found.error));
    if (found.value === undefined) return err({ code: "not-found" });
    if (found.value.state !== "running") return ok(found.value);
    const ended = await records.change(found.value, (job) => endReplayJob(job, "cancelled", clock.wall()));
    return ended.mapErr(toRelayFault).andThen(orNotFound);
  }

  return {
    previewReplay,
    startReplay: (filter) =>
      previewReplay(filter).andThen(({ deliveries }) => new ResultAsync(start(filter, deliveries))),
    cancelReplay: (id) => new ResultAsync(cancel(id)),
    replayJob: (id) =>
      new ResultAsync(records.find(id)).mapErr((fault): ReplayJobFault => toRelayFault(fault)).andThen(orNotFound),
    replayJobs: () => new ResultAsync(records.list()).mapErr(toRelayFault),
  };
}

/** Removes the jobs that ended first, until there is room for one more. */
async function makeRoom(records: JobRecords): Promise<Result<void, ReplayJobFault>> {
  const all = await records.list();
  if (all.isErr()) return err(toRelayFault(all.error));
  const excess = all.value.length - MAX_REPLAY_JOBS + 1;
  const ended = all.value.filter(({ state }) => state !== "running");
  if (excess > ended.length) return err({ code: "too-many-jobs" });
  const oldest = ended.toSorted((first, second) => (first.endedAt ?? 0) - (second.endedAt ?? 0));
  for (const { id } of oldest.slice(0, Math.max(0, excess))) {
    const removed = await records.remove(id);
    if (removed.isErr()) return err(toRelayFault(removed.error));
  }
  return ok(undefined);
}

function orNotFound(job: ReplayJob | undefined): Result<ReplayJob, ReplayJobFault> {
  return job === undefined ? err({ code: "not-found" }) : ok(job);
}

function toJobFault(fault: StoreFault | { readonly code: "stopped" }): ReplayJobFault {
  return fault.code === "stopped" ? { code: "stopped" } : toRelayFault(fault);
}

/** The records of jobs. A request is repeated while the store is busy. */
export interface JobRecords extends Records<ReplayJob> {
  /**
   * Replaces a record by what `update` makes of it. If another change came first, `update` is called again with the new record.
   * Answers the record as it is stored then; undefined if it was removed, or if `update` answered undefined.
   */
  change(job: ReplayJob, update: UpdateJob): Promise<Result<ReplayJob | undefined, StoreFault>>;
}

/** The record that is to be stored; undefined if this process must not change the job. Pure, since it may run repeatedly. */
type UpdateJob = (job: ReplayJob) => ReplayJob | undefined;

export function createJobRecords(clock: Clock, askRecords: AskRecords): JobRecords {
  const records = createRecords((question) => whileBusy(clock, () => askRecords(question)), REPLAY_JOB_RECORDS);

  return {
    ...records,
    change: async (earlierJob, update) => {
      const decide = (job: ReplayJob): Result<ReplayJob, typeof NOT_CHANGED> => {
        const changed = update(job);
        return changed === undefined ? err(NOT_CHANGED) : ok(changed);
      };
      const changed = await replaceRecord(records, { key: earlierJob.id, known: earlierJob, decide });
      return changed.orElse((fault) => (fault === NOT_CHANGED ? ok(undefined) : err(fault)));
    },
  };
}
