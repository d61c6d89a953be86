// The routes of /api/replay-jobs: what a replay of a whole filter would do, and jobs that do it.

import { type ReplayFilter, replayJobId } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { type Answer, jsonAnswer, type RequestBody } from "@postrider/http";
import type { ReplayJobFault, ReplayJobs } from "@postrider/relay";
import { queryOf } from "../delivery-filters.js";
import { readObjectBody } from "../read-body.js";
import { faultAnswer, notSupportedAnswer, refuse } from "../refuse.js";
import { describeJob, describePreview } from "./describe-job.js";
import { FILTER_BODY, type JobFilters, type ReplayJobsJson } from "./replay-job-operations.js";

/** Answers the counts of what a job with this filter would replay. */
export function handlePreviewReplay(relay: ReplayJobs, body: RequestBody): Promise<Answer> {
  return withFilter(body, (filter) =>
    relay.previewReplay(filter).match((preview) => jsonAnswer(200, describePreview(preview)), jobFaultAnswer),
  );
}

/** Answers the new job, of which nothing is done yet. */
export function handleStartReplay(relay: ReplayJobs, body: RequestBody): Promise<Answer> {
  return withFilter(body, (filter) =>
    relay.startReplay(filter).match((job) => jsonAnswer(202, describeJob(job)), jobFaultAnswer),
  );
}

/** Answers `{ jobs }`, the latest first. */
export async function handleListReplayJobs(relay: ReplayJobs): Promise<Answer> {
  return relay
    .replayJobs()
    .match((jobs) => jsonAnswer(200, { jobs: jobs.map(describeJob) } satisfies ReplayJobsJson), jobFaultAnswer);
}

export async function handleShowReplayJob(relay: ReplayJobs, id: string): Promise<Answer> {
  return relay.replayJob(replayJobId(id)).match((job) => jsonAnswer(200, describeJob(job)), jobFaultAnswer);
}

/** Answers the job as it is then: one that has ended before stays as it was. */
export async function handleCancelReplay(relay: ReplayJobs, id: string): Promise<Answer> {
  return relay.cancelReplay(replayJobId(id)).match((job) => jsonAnswer(200, describeJob(job)), jobFaultAnswer);
}

async function withFilter(body: RequestBody, ask: (filter: ReplayFilter) => PromiseLike<Answer>): Promise<Answer> {
  const request = await readObjectBody(body, FILTER_BODY);
  return request.kind === "refused" ? request.answer : ask(filterOf(request.value));
}

function filterOf({ state = ["dead"], ...others }: Partial<JobFilters>): ReplayFilter {
  const { reason, details, source, destination, type, acceptedSince, acceptedBefore } = queryOf(others);
  return { states: state, ...defined({ reason, details, source, destination, type, acceptedSince, acceptedBefore }) };
}

function jobFaultAnswer(fault: ReplayJobFault): Answer {
  switch (fault.code) {
    case "not-found":
      return refuse(404, fault.code, "there is no such replay job, or it was removed");
    case "not-supported":
      return notSupportedAnswer("replay jobs");
    case "too-many-jobs":
      return refuse(409, fault.code, "1,000 replay jobs are running: cancel one first");
    case "destination-removed":
      return refuse(409, fault.code, "the destination is not in the settings");
    case "unavailable":
    case "corrupt":
    case "stopped":
      return faultAnswer(fault);
  }
}
