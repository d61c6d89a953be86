// Reads and changes the records of replay jobs. Other processes may change a record too: an operator's cancel may come by way of
// any process.

import type { Clock, ReplayJob, ReplayJobStore } from "@postrider/core";
import { err, ok, type Result } from "neverthrow";
import { MAX_RACES } from "../limits.js";
import type { AskReplayJobs, StoreFault } from "../storage/storage.js";
import { whileBusy } from "../storage/while-busy.js";

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

  async function changeOnce(
    found: ReplayJob,
    next: ChangeJob,
  ): Promise<Result<ReplayJob | undefined | "too-late", StoreFault>> {
    const changed = next(found);
    if (changed === undefined) return ok(undefined);
    const record = { ...changed, revision: found.revision + 1 };
    return (await ask((jobs) => jobs.replace(record))).map((isFirst) => (isFirst ? record : "too-late"));
  }

  return {
    ask,
    change: async (known, next) => {
      let found = known;
      for (let race = 0; race < MAX_RACES; race += 1) {
        const changed = await changeOnce(found, next);
        if (changed.isErr()) return err(changed.error);
        if (changed.value !== "too-late") return ok(changed.value);
        const read = await ask((jobs) => jobs.find(known.id));
        if (read.isErr()) return err(read.error);
        if (read.value === undefined) return ok(undefined);
        found = read.value;
      }
      return err({ code: "busy" });
    },
  };
}
