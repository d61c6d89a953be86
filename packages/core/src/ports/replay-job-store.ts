// The part of a delivery store that keeps the records of replay jobs. They outlive the process, so that any process can carry a
// job on. The store decides nothing: the relay writes the progress, and removes the oldest records.

import type { ReplayJobId } from "../ids.js";
import type { ReplayJob } from "../replay/replay-job.js";

/** The records of replay jobs: at most 1,000, each of at most a few hundred delivery ids. Records come back as they were given. */
export interface ReplayJobStore {
  /** One durable commit: stores a new record. Returns false, and changes nothing, if its id exists already. */
  create(job: ReplayJob): Promise<boolean>;
  /**
   * One durable commit: replaces the record with the same id. Changes nothing and returns false unless its revision is
   * `job.revision - 1`: of two processes that read the same revision, only one replaces it.
   */
  replace(job: ReplayJob): Promise<boolean>;
  find(id: ReplayJobId): Promise<ReplayJob | undefined>;
  /** All records, or only those of running jobs: the latest `createdAt` first, and among equal ones in any order. */
  list(query: { readonly running?: boolean }): Promise<readonly ReplayJob[]>;
  /** One durable commit: removes a record. Changes nothing if there is none. */
  remove(id: ReplayJobId): Promise<void>;
}
