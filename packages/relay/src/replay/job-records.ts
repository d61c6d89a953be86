// Reads and changes the records of replay jobs. Other processes may change a record too: an operator's cancel may come by way of
// any process.

import type { Clock, ReplayJob, ReplayJobStore } from "@postrider/core";
import { err, ok, type Result } from "neverthrow";
import type { AskReplayJobs } from "../commits/storage.js";
import type { StoreFault } from "../fault.js";
import { replaceRecord, whileBusy } from "../commits/retry.js";

export interface JobRecords {
  /** Sends a request to the store, and repeats it while the store is busy. */
  ask<T>(question: (jobs: ReplayJobStore) => Promise<T>): Promise<Result<T, StoreFault>>;
  /**
   * Replaces a record by what `next` makes of it. If another change came first, `next` is called again with the new record.
   * Answers the record as it is stored then; undefined if it is gone, or if `next` answered undefined.
   */
  change(known: ReplayJob, next: ChangeJob): Promise<Result<ReplayJob | undefined, StoreFault>>;
}

/** The record that is to be stored; undefined if this process must not change the job. Pure, since it may run repeatedly. */
export type ChangeJob = (job: ReplayJob) => ReplayJob | undefined;

export function createJobRecords(clock: Clock, askReplayJobs: AskReplayJobs): JobRecords {
  const ask: JobRecords["ask"] = (question) => whileBusy(clock, () => askReplayJobs(question));

  return {
    ask,
    change: async (known, next) => {
      const access = {
        find: () => ask((jobs) => jobs.find(known.id)),
        replace: (job: ReplayJob) => ask((jobs) => jobs.replace(job)),
      };
      const decide = (job: ReplayJob): Result<ReplayJob, typeof NOT_CHANGED> => {
        const changed = next(job);
        return changed === undefined ? err(NOT_CHANGED) : ok(changed);
      };
      const changed = await replaceRecord(access, decide, known);
      return changed.orElse((fault) => (fault === NOT_CHANGED ? ok(undefined) : err(fault)));
    },
  };
}

const NOT_CHANGED = "not-changed";
