// The routes of /api/replay-jobs: what a replay of a whole filter would do, and jobs that do it.

import { FAULTS, type ReplayFilter, type ReplayedState, replayJobId } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { type Answer, jsonAnswer, type RequestBody } from "@postrider/http";
import type { ReplayJobFault, ReplayJobs } from "@postrider/relay";
import { FILTERS, queryOf, type QueryFilters } from "../delivery-filters.js";
import { readObjectBody } from "../read-body.js";
import { choiceListField, type Fields } from "../read-fields.js";
import { faultAnswer, notSupportedAnswer, refuse } from "../refuse.js";
import { listSchema, objectSchema, type Of } from "../contract/json-schema.js";
import type { ApiOperation } from "../contract/operation.js";
import { describeJob, describePreview, JOB, PREVIEW } from "./describe-job.js";

/** The filters of a job, by the names of a list. It replays what was not replayed, of any message and any user. */
interface JobFilters extends Omit<QueryFilters, "state" | "messageId" | "user" | "notReplayed"> {
  readonly state: readonly ReplayedState[];
}

const JOB_FILTERS: Fields<JobFilters> = {
  state: choiceListField(["dead", "delivered"]),
  reason: FILTERS.reason,
  destination: FILTERS.destination,
  source: FILTERS.source,
  type: FILTERS.type,
  status: FILTERS.status,
  fault: choiceListField(FAULTS),
  since: FILTERS.since,
  until: FILTERS.until,
};

const BODY = { kind: "json", fields: JOB_FILTERS, required: [], code: "bad-replay" } as const;
const JOBS = objectSchema({ jobs: listSchema(JOB) });

export const START_REPLAY: ApiOperation = {
  id: "startReplay",
  summary: "Starts a job that replays all deliveries which match a filter and were not replayed before.",
  body: BODY,
  answer: { status: 202, description: "a job that replays all that a filter finds", schema: JOB },
  refusals: ["destination-removed", "too-many-jobs", "not-supported", "store-unavailable"],
};

export const PREVIEW_REPLAY: ApiOperation = {
  id: "previewReplay",
  summary: "Counts what a replay job with this filter would replay.",
  body: BODY,
  answer: { status: 200, description: "what such a job would replay", schema: PREVIEW },
  refusals: ["destination-removed", "not-supported", "store-unavailable"],
};

export const LIST_REPLAY_JOBS: ApiOperation = {
  id: "listReplayJobs",
  summary: "Lists the replay jobs that are kept.",
  answer: { status: 200, description: "the jobs, the latest first", schema: JOBS },
  refusals: ["not-supported", "store-unavailable"],
};

export const SHOW_REPLAY_JOB: ApiOperation = {
  id: "showReplayJob",
  summary: "Shows one replay job.",
  answer: { status: 200, description: "how far one has come", schema: JOB },
  refusals: ["not-found", "not-supported", "store-unavailable"],
};

export const CANCEL_REPLAY: ApiOperation = {
  id: "cancelReplay",
  summary: "Ends a running replay job. What it has replayed stays replayed.",
  answer: { status: 200, description: "the job, which replays nothing more", schema: JOB },
  refusals: ["not-found", "not-supported", "store-unavailable"],
};

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
    .match((jobs) => jsonAnswer(200, { jobs: jobs.map(describeJob) } satisfies Of<typeof JOBS>), jobFaultAnswer);
}

export async function handleShowReplayJob(relay: ReplayJobs, id: string): Promise<Answer> {
  return relay.replayJob(replayJobId(id)).match((job) => jsonAnswer(200, describeJob(job)), jobFaultAnswer);
}

/** Answers the job as it is then: one that has ended before stays as it was. */
export async function handleCancelReplay(relay: ReplayJobs, id: string): Promise<Answer> {
  return relay.cancelReplay(replayJobId(id)).match((job) => jsonAnswer(200, describeJob(job)), jobFaultAnswer);
}

async function withFilter(body: RequestBody, ask: (filter: ReplayFilter) => PromiseLike<Answer>): Promise<Answer> {
  const request = await readObjectBody(body, BODY);
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
