// The requests of an operator about replay jobs, and their faults. Types only.

import type {
  DeadReason,
  DeliverySummary,
  DestinationId,
  EpochMs,
  ReplayFilter,
  ReplayJob,
  ReplayJobId,
} from "@postrider/core";
import type { ResultAsync } from "neverthrow";
import type { RelayFault } from "../fault.js";

/**
 * Replays all deliveries that meet a filter, as a job that outlives the process: any process on the store carries it
 * on. A job leaves room in the lanes: where a lane is long, it waits.
 */
export interface ReplayJobs {
  /** What a job with this filter would replay now. Changes nothing. */
  previewReplay(filter: ReplayFilter): ResultAsync<ReplayPreview, ReplayJobFault>;
  /** Creates a job, and answers before it has replayed anything. Deliveries that were accepted from now on are left alone. */
  startReplay(filter: ReplayFilter): ResultAsync<ReplayJob, ReplayJobFault>;
  /** Ends a running job: a commit under way is the last. A job that has ended stays as it is. */
  cancelReplay(id: ReplayJobId): ResultAsync<ReplayJob, ReplayJobFault>;
  replayJob(id: ReplayJobId): ResultAsync<ReplayJob, ReplayJobFault>;
  /** All jobs that are kept, the latest first: at most about 1,000, of which those that ended first are removed. */
  replayJobs(): ResultAsync<readonly ReplayJob[], ReplayJobFault>;
}

/** The deliveries that meet a filter. */
export interface ReplayPreview {
  /** How many can be replayed. Of a delivered one whose body was purged only the replay shows that it cannot. */
  readonly deliveries: number;
  /** When the first and the last of them were accepted; absent if there are none. */
  readonly oldest?: EpochMs;
  readonly newest?: EpochMs;
  readonly byDestination: ReadonlyMap<DestinationId, number>;
  /** By why they are dead; `delivered` for those that are not. */
  readonly byReason: ReadonlyMap<DeadReason | "delivered", number>;
  /** How many meet the filter and cannot be replayed, by the reason. */
  readonly outOfReach: Readonly<Record<"purged" | "destination-removed", number>>;
  /** The latest of those that can be replayed, at most five. */
  readonly examples: readonly DeliverySummary[];
  /** False if there are more deliveries than a preview looks at, which is 1,000,000. */
  readonly isWhole: boolean;
}

/**
 * Why a request about replay jobs was refused. `not-supported`: the store keeps no replay jobs. `destination-removed`: the
 * destination of the filter is not in the settings. `too-many-jobs`: 1,000 jobs are running.
 */
export type ReplayJobFault =
  { readonly code: "not-supported" | "not-found" | "destination-removed" | "too-many-jobs" } | RelayFault;
