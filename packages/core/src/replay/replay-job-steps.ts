// The steps of a replay job, as changes of its record (decision: replay jobs). A process stores the record before it takes the
// next step, so that another process can carry on.

import type { EpochMs } from "../ids.js";
import { type LeaseHolder, withoutLease } from "../delivery/lease.js";
import type { ReplayFilter, ReplayJob, ReplayJobStep } from "./replay-job.js";

/** The fields with which a job is created. */
type NewReplayJob = Pick<ReplayJob, "id" | "createdAt" | "expected" | "filter">;

/** A job of which nothing is done. It replays nothing that was accepted from its creation on. */
export function newReplayJob({ id, createdAt, expected, filter }: NewReplayJob): ReplayJob {
  const initialState = { state: "running", replayed: 0, skipped: 0 } as const;
  return { id, revision: 1, filter: endingAt(filter, createdAt), createdAt, ...initialState, expected };
}

function endingAt(filter: ReplayFilter, createdAt: EpochMs): ReplayFilter {
  const { acceptedBefore = createdAt } = filter;
  return { ...filter, acceptedBefore: acceptedBefore < createdAt ? acceptedBefore : createdAt };
}

/** Makes a process the owner of a job, under a new lease. */
export function takeReplayJob(job: ReplayJob, holder: LeaseHolder): ReplayJob {
  return { ...job, holder };
}

/** Begins with the next page. */
export function beginReplayStep(job: ReplayJob, step: ReplayJobStep): ReplayJob {
  return { ...job, step };
}

/** Counts the page that was begun: `replayed` of its deliveries were replayed, the others could not be. */
export function countReplayStep({ step, ...job }: ReplayJob, replayed: number, now: EpochMs): ReplayJob {
  if (step === undefined) return job;
  const { deliveries, skipped, next } = step;
  const progress = {
    ...job,
    replayed: job.replayed + replayed,
    skipped: job.skipped + skipped + deliveries.length - replayed,
  };
  return next === undefined ? endReplayJob(progress, "done", now) : { ...progress, after: next };
}

/** Ends a job. A step that was begun stays in the record: some of its deliveries may have been replayed. */
export function endReplayJob(job: ReplayJob, state: "done" | "cancelled", endedAt: EpochMs): ReplayJob {
  return job.state === "running" ? { ...job, state, endedAt } : job;
}

/** Gives up the lease of the owner, so that any process may carry on at once. */
export function releaseReplayJob(job: ReplayJob): ReplayJob {
  return job.holder === undefined ? job : { ...job, holder: withoutLease(job.holder) };
}
